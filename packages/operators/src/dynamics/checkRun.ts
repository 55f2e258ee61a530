import type { Grid } from '@corpuscle/core';
import { type ExecutionContext, newestOnHost, type PatternHandle } from '@corpuscle/patterns';
import { reportBlowUp } from '../particles/checkFinite.js';
import type { ThermoRow } from '../thermo/thermoRow.js';

/**
 * Ends a run whose particles moved as no sound run's do. Cheap: called with every displacement check that is complete.
 * @throws CorpuscleError NOT_FINITE (as a rejection) naming the step and a particle.
 */
export function checkMove(
  maxDisplacement: number,
  grid: Grid,
  ctx: ExecutionContext,
  step: number,
): Promise<void> | undefined {
  if (maxDisplacement < tooFar(grid)) return undefined;
  return newestOnHost(grid, ctx).then(() => reportBlowUp(grid, step));
}

/** Nothing crosses the box between two list checks in a run that is sound. */
function tooFar(grid: Grid): number {
  return 10 * Math.max(...grid.domain.heights);
}

/** @throws CorpuscleError NOT_FINITE when energies are not numbers any more. */
export async function checkEnergy(
  row: ThermoRow,
  grid: Grid,
  ctx: ExecutionContext,
): Promise<void> {
  if (Number.isFinite(row.total_energy) && Number.isFinite(row.pressure)) return;
  await newestOnHost(grid, ctx);
  reportBlowUp(grid, row.step);
}

/** Waits for queued work and gives timers, signals and the progress line a turn. */
export async function breathe(handle: PatternHandle<unknown>): Promise<void> {
  await handle;
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
