import { CorpuscleError } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { type ExternalForceOptions, externalForceTerm } from '../externalForceTerm.js';
import { type WallForm, wallForms } from './wallForms.js';
import { planeWalls, roundWalls } from './wallFunctors.js';

type Vector = readonly [number, number, number];

/** Where a wall is. A plane acts on the side that its normal points to. */
export type WallSurface =
  | { readonly kind: 'plane'; readonly point: Vector; readonly normal: Vector }
  | {
      readonly kind: 'round';
      readonly center: Vector;
      /** Of a cylinder; null for a sphere. */
      readonly axis: Vector | null;
      readonly radius: number;
      readonly side: 'inside' | 'outside';
    };

/** A wall; lengths and energies in internal units. */
export interface Wall {
  readonly form: WallForm;
  readonly surface: WallSurface;
  /** Depth; of a harmonic wall an energy over an area. */
  readonly epsilon: number;
  /** Size; a harmonic wall has none. */
  readonly sigma: number;
  readonly rcut: number;
  /** How far a moving wall is from where it was, at the present time. */
  readonly displacement?: () => Vector;
}

/** The force of a wall on every particle within `rcut` of it; its energy is 0 at `rcut`. */
export function wallTerm(
  { form, surface, epsilon, sigma, rcut, displacement }: Wall,
  options: Pick<ExternalForceOptions<never>, 'particleFilter'> = {},
): ForceTerm {
  const shift = wallForms[form].energy(rcut, epsilon, sigma, rcut);
  const shared = { epsilon, sigma, rcut, shift };
  const moved = (at: Vector): Vector => {
    const by = displacement?.() ?? [0, 0, 0];
    return [at[0] + by[0], at[1] + by[1], at[2] + by[2]];
  };
  const changes = displacement !== undefined;
  if (surface.kind === 'plane') {
    const [nx, ny, nz] = unit(surface.normal, 'the normal of a wall');
    return externalForceTerm(planeWalls[form], {
      ...options,
      changes,
      params() {
        const [px, py, pz] = moved(surface.point);
        return { ...shared, px, py, pz, nx, ny, nz };
      },
    });
  }
  const { axis, radius, side } = surface;
  const [ex, ey, ez] = axis ? unit(axis, 'the axis of a wall') : [0, 0, 0];
  return externalForceTerm(roundWalls[form], {
    ...options,
    changes,
    params() {
      const [cx, cy, cz] = moved(surface.center);
      return { ...shared, cx, cy, cz, ex, ey, ez, radius, side: side === 'inside' ? 1 : -1 };
    },
  });
}

/** @throws CorpuscleError INVALID_VALUE for a vector of no length. */
export function unit(vector: Vector, what: string): Vector {
  const length = Math.hypot(...vector);
  if (length > 0) return [vector[0] / length, vector[1] / length, vector[2] / length];
  throw new CorpuscleError('INVALID_VALUE', `${what} is 0: give a direction`);
}
