import { combined, type PatternHandle, reduceCellParticles } from '@corpuscle/patterns';
import type { ForceLedger } from '../../forces/ForceLedger.js';
import { heatFluxFunctor } from './heatFluxFunctor.js';

/** A heat flux, energy per area and time, and the part of it that particles carry along. */
export interface HeatFlux {
  readonly jx: number;
  readonly jy: number;
  readonly jz: number;
  /** Σ e v / V alone. */
  readonly convective: readonly [number, number, number];
  /** Σ m v², twice the kinetic energy. */
  readonly twice: number;
}

/**
 * The heat flux J = (Σ e_i v_i + Σ W_i v_i) / V, with e the energy of a particle and W its share of the virial, as `compute
 * heat/flux` of LAMMPS has it with `stress/atom` (Irving and Kirkwood 1950). Exact for pairs. Of potentials of triplets it is an
 * approximation, for their shares are a convention (Boone, Babaei and Wilmer 2019). Velocities are relative to the box: the center
 * of mass should rest.
 *
 * @throws CorpuscleError INVALID_VALUE as `particleStress`
 * @example
 * const { jx } = await heatFlux(ledger);
 */
export async function heatFlux(ledger: ForceLedger): Promise<HeatFlux> {
  return (await startHeatFlux(ledger)).flux;
}

/** The same for runs, which do not wait: a handle on the flux, once all calls have been made. */
export async function startHeatFlux(
  ledger: ForceLedger,
): Promise<{ readonly flux: PatternHandle<HeatFlux> }> {
  const { grid, ctx } = ledger;
  await ledger.energies();
  await ledger.virials();
  const { volume } = grid.domain;
  const sums = reduceCellParticles(grid, heatFluxFunctor, {}, ctx);
  const flux = combined([sums], ([found]): HeatFlux => {
    const { jx, jy, jz, cx, cy, cz, twice } = found!;
    return {
      jx: jx / volume,
      jy: jy / volume,
      jz: jz / volume,
      convective: [cx / volume, cy / volume, cz / volume],
      twice,
    };
  });
  return { flux };
}
