import type { NeighborhoodFunctor } from '../../src/Functor.js';
import type { ParamSchema } from '../../src/schema.js';

/** Outputs of functors whose forces follow from their energy. */
export const forceFields = {
  fx: 'real',
  fy: 'real',
  fz: 'real',
  ep: 'real',
  vxx: 'real',
  vyy: 'real',
  vzz: 'real',
  vxy: 'real',
  vxz: 'real',
  vyz: 'real',
} as const;

export const gradient = {
  of: 'ep',
  into: ['fx', 'fy', 'fz'],
  virial: ['vxx', 'vyy', 'vzz', 'vxy', 'vxz', 'vyz'],
} as const;

const axes = ['x', 'y', 'z'] as const;
type Vectors = readonly (readonly number[])[];
type Arrays = Record<string, number[]>;

/** What a direct call adds, for neighbors at these displacements. */
export interface Called {
  readonly energy: number;
  /** On the neighbors, and on the particle. */
  readonly forces: readonly (readonly number[])[];
  readonly own: readonly number[];
  /** xx, yy, zz, xy, xz, yz. */
  readonly virial: readonly number[];
}

/** Calls a functor directly for a particle of type 1 and neighbors of types 0, 1, 0, …; `type` is their only field. */
export function callAt(
  { invoke, spec }: NeighborhoodFunctor,
  d: Vectors,
  params: Readonly<Record<string, unknown>>,
): Called {
  const i: Record<string, number> = { type: 1 };
  for (const name in forceFields) i[name] = 0;
  const zeros = () => d.map(() => 0);
  const b: Arrays = { fx: zeros(), fy: zeros(), fz: zeros(), ep: zeros() };
  axes.forEach((axis, k) => {
    b[`d${axis}`] = d.map((v) => v[k]!);
  });
  b.r2 = d.map((v) => v.reduce((sum, x) => sum + x * x, 0));
  b.type = d.map((_, k) => k & 1);
  if (spec.kind === 'neighborhood') for (const name in spec.work) b[name] = [];
  invoke(i, { ...b, count: d.length }, params);
  return {
    energy: b.ep!.reduce((sum, e) => sum + e, i.ep!),
    forces: d.map((_, n) => axes.map((axis) => b[`f${axis}`]![n]!)),
    own: axes.map((axis) => i[`f${axis}`]!),
    virial: gradient.virial.map((name) => i[name]!),
  };
}

/** ∂E/∂d by differences of two widths, which is the force on each neighbor. */
export function numericForces(
  functor: NeighborhoodFunctor,
  d: Vectors,
  params: Readonly<Record<string, unknown>>,
): number[][] {
  const energy = (n: number, k: number, by: number) => {
    const moved = d.map((v, m) => v.map((x, l) => (m === n && l === k ? x + by : x)));
    return callAt(functor, moved, params).energy;
  };
  return d.map((v, n) =>
    v.map((_, k) => {
      const slope = (h: number) => (energy(n, k, h) - energy(n, k, -h)) / (2 * h);
      return (4 * slope(5e-4) - slope(1e-3)) / 3;
    }),
  );
}

export type AnyNeighborhood = NeighborhoodFunctor<typeof forceFields, ParamSchema>;
