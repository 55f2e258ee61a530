import type { Grid } from '@corpuscle/core';
import { type ExecutionContext, reduceCellParticles } from '@corpuscle/patterns';
import { checkRow } from '../dynamics/checkRun.js';
import type { ForceTotals } from '../forces/ForceTerm.js';
import { kineticTensor } from './kineticTensor.js';
import { type ThermoRow, thermoRow } from './thermoRow.js';

export interface SampleOptions {
  readonly step: number;
  readonly time: number;
  /** Boltzmann's constant in the units of the run. Default 1. */
  readonly boltzmann?: number;
  readonly totals: ForceTotals | Promise<ForceTotals>;
  /** Time step: with it, particles that cross the box many times in one step are noticed. */
  readonly dt?: number;
}

/**
 * Takes one row of the thermo table: kinetic tensor by a reduction, energy and virial from the force terms.
 * @throws CorpuscleError NOT_FINITE naming step and particle when the run has blown up.
 */
export async function sampleThermo(
  grid: Grid,
  ctx: ExecutionContext,
  options: SampleOptions,
): Promise<ThermoRow> {
  const kinetic = reduceCellParticles(grid, kineticTensor, {}, ctx, {});
  const [k, totals] = [await kinetic, await options.totals];
  const row = thermoRow({
    step: options.step,
    time: options.time,
    count: grid.count,
    volume: grid.domain.volume,
    boltzmann: options.boltzmann ?? 1,
    potentialEnergy: totals.energy,
    kinetic: [k.xx!, k.yy!, k.zz!, k.xy!, k.xz!, k.yz!],
    virial: totals.virial,
  });
  const move = Math.sqrt(k.fastest2!) * (options.dt ?? 0);
  await checkRow(row, move, grid, ctx);
  return row;
}
