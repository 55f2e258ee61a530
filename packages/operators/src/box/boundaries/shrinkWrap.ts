import { CorpuscleError, Domain, type Grid } from '@corpuscle/core';
import { type ExecutionContext, reduceCellParticles, reduceFunctor } from '@corpuscle/patterns';
import type { Face } from './faces.js';

/** How far particles reach in lattice coordinates. */
export const particleExtent = reduceFunctor(
  {
    name: 'particle_extent',
    result: { lowA: 'min', lowB: 'min', lowC: 'min', highA: 'max', highB: 'max', highC: 'max' },
    read: { rx: 'real', ry: 'real', rz: 'real' },
    params: { ox: 'real', oy: 'real', oz: 'real', inverse: 'real[]' },
    traits: { gpu: true },
  },
  (acc, i, p) => {
    const x = i.rx - p.ox;
    const y = i.ry - p.oy;
    const z = i.rz - p.oz;
    const a = x * p.inverse[0]! + y * p.inverse[3]! + z * p.inverse[6]!;
    const b = x * p.inverse[1]! + y * p.inverse[4]! + z * p.inverse[7]!;
    const c = x * p.inverse[2]! + y * p.inverse[5]! + z * p.inverse[8]!;
    acc.lowA = Math.min(acc.lowA, a);
    acc.lowB = Math.min(acc.lowB, b);
    acc.lowC = Math.min(acc.lowC, c);
    acc.highA = Math.max(acc.highA, a);
    acc.highB = Math.max(acc.highB, b);
    acc.highC = Math.max(acc.highC, c);
  },
);

/** What faces keep from the last particle, and what the box never gets smaller than. */
export interface ShrinkWrap {
  readonly faces: readonly Face[];
  /** Distance that a face keeps from the last particle, along each axis. */
  readonly margins: readonly number[];
  /** Faces do not come closer than those of this box. */
  readonly least: Domain | null;
}

/**
 * The box whose faces follow the particles: each keeps its margin from the last particle. Other faces stay.
 * Waits for the positions, on a device too.
 *
 * @throws CorpuscleError NO_PARTICLES when there is none to follow
 */
export async function shrunkBox(
  grid: Grid,
  ctx: ExecutionContext,
  { faces, margins, least }: ShrinkWrap,
): Promise<Domain> {
  if (grid.total === 0)
    throw new CorpuscleError(
      'NO_PARTICLES',
      'there are no particles that faces could follow: make or read some before',
    );
  const { wholeDomain: domain } = grid;
  const [ox, oy, oz] = domain.origin;
  const found = await reduceCellParticles(grid, particleExtent, {}, ctx, {
    params: { ox, oy, oz, inverse: domain.inverse },
  });
  const lower = [0, 0, 0];
  const upper = [1, 1, 1];
  for (const { axis, isUpper } of faces) {
    const margin = margins[axis]! / domain.heights[axis];
    const end = (isUpper ? upperOf : lowerOf)(found)[axis]! + (isUpper ? margin : -margin);
    (isUpper ? upper : lower)[axis] = end;
    if (!least) continue;
    const bound = latticeCoordinate(domain, least, { axis, isUpper });
    const outer = isUpper ? Math.max(end, bound) : Math.min(end, bound);
    (isUpper ? upper : lower)[axis] = outer;
  }
  const matrix = domain.matrix.map((x, k) => {
    const axis = Math.floor(k / 3);
    return x * (upper[axis]! - lower[axis]!);
  });
  const origin = domain.toCartesian(lower[0]!, lower[1]!, lower[2]!);
  return Domain.triclinic(matrix, { origin, periodic: domain.periodic });
}

type Found = Readonly<Record<'lowA' | 'lowB' | 'lowC' | 'highA' | 'highB' | 'highC', number>>;
const lowerOf = ({ lowA, lowB, lowC }: Found) => [lowA, lowB, lowC];
const upperOf = ({ highA, highB, highC }: Found) => [highA, highB, highC];

/** Where a face of another box is, in lattice coordinates of this one. */
function latticeCoordinate(domain: Domain, other: Domain, { axis, isUpper }: Face): number {
  const s: [number, number, number] = [0, 0, 0];
  s[axis] = isUpper ? 1 : 0;
  return domain.toFractional(...other.toCartesian(...s))[axis];
}
