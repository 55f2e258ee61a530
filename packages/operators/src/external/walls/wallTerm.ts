import { CorpuscleError } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { type ExternalForceOptions, externalForceTerm } from '../externalForceTerm.js';
import type { Vector } from '../slots.js';
import type { VectorReference } from './WallMotion.js';
import { type WallForm, wallForms } from './wallForms.js';
import { planeWalls, roundWalls } from './wallFunctors.js';

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
  /** Where a moving wall is, in place of the point or the center of its surface. */
  readonly place?: VectorReference | undefined;
}

/** The force of a wall on every particle within `rcut` of it; its energy is 0 at `rcut`. */
export function wallTerm(
  { form, surface, epsilon, sigma, rcut, place }: Wall,
  options: Pick<ExternalForceOptions<never>, 'particleFilter'> = {},
): ForceTerm {
  const shift = wallForms[form].energy(rcut, epsilon, sigma, rcut);
  const shared = { epsilon, sigma, rcut, shift };
  if (surface.kind === 'plane') {
    const [nx, ny, nz] = unit(surface.normal, 'the normal of a wall');
    const [px, py, pz] = place ?? surface.point;
    return externalForceTerm(planeWalls[form], {
      ...options,
      params: () => ({ ...shared, px, py, pz, nx, ny, nz }),
    });
  }
  const { axis, radius, side } = surface;
  const [cx, cy, cz] = place ?? surface.center;
  const [ex, ey, ez] = axis ? unit(axis, 'the axis of a wall') : [0, 0, 0];
  return externalForceTerm(roundWalls[form], {
    ...options,
    params: () => ({
      ...{ ...shared, cx, cy, cz, ex, ey, ez, radius },
      side: side === 'inside' ? 1 : -1,
    }),
  });
}

/** @throws CorpuscleError INVALID_VALUE for a vector of no length. */
export function unit(vector: Vector, what: string): Vector {
  const length = Math.hypot(...vector);
  if (length > 0) return [vector[0] / length, vector[1] / length, vector[2] / length];
  throw new CorpuscleError('INVALID_VALUE', `${what} is 0: give a direction`);
}
