import type { CorpuscleError, Grid } from '@corpuscle/core';
import {
  type ExecutionContext,
  type NeighbourOptions,
  type NeighbourUpdate,
  newestOnHost,
  type PatternHandle,
  updateNeighbours,
} from '@corpuscle/patterns';
import { reportBlowUp } from '../particles/reportBlowUp.js';
import type { ThermoRow } from '../thermo/thermoRow.js';

/**
 * Updates neighbour lists in a run; on the CPU a blow-up is noticed here, in the step in which it happens.
 * @throws CorpuscleError NOT_FINITE naming the step and a particle.
 */
export function refreshLists(
  grid: Grid,
  ctx: ExecutionContext,
  options: NeighbourOptions,
  step: number,
): PatternHandle<NeighbourUpdate> {
  let update: PatternHandle<NeighbourUpdate>;
  try {
    update = updateNeighbours(grid, ctx, { ...options, ahead: true });
  } catch (error) {
    if ((error as CorpuscleError).code === 'NOT_FINITE') reportBlowUp(grid, step);
    throw error;
  }
  // The GPU is not made to wait: there the next row of the thermo table tells.
  if (ctx.backend === 'cpu' && update.done && !(update.value.maxDisplacement < tooFar(grid)))
    reportBlowUp(grid, step);
  return update;
}

/**
 * What an update that is done says about a run on a device.
 * @throws CorpuscleError NOT_FINITE naming the step and a particle.
 */
export async function checkUpdate(
  update: NeighbourUpdate,
  grid: Grid,
  ctx: ExecutionContext,
  step: number,
): Promise<void> {
  if (update.maxDisplacement < tooFar(grid)) return;
  await newestOnHost(grid, ctx);
  reportBlowUp(grid, step);
}

/** Nothing crosses the box many times between two list checks in a run that is sound. */
function tooFar(grid: Grid): number {
  return 10 * Math.max(...grid.domain.heights);
}

/**
 * @param move the farthest that a particle goes in one step.
 * @throws CorpuscleError NOT_FINITE when energies are not numbers any more, or particles cross the box many times a step.
 */
export async function checkRow(
  row: ThermoRow,
  move: number,
  grid: Grid,
  ctx: ExecutionContext,
): Promise<void> {
  const finite = Number.isFinite(row.total_energy) && Number.isFinite(row.pressure);
  if (finite && move < tooFar(grid)) return;
  await newestOnHost(grid, ctx);
  reportBlowUp(grid, row.step);
}

/** Whether steps wait for the device: then the loop should too, or it would queue steps without end. */
export const mustWait = (ctx: ExecutionContext): boolean => ctx.gpu !== null && !ctx.gpu.idle;

/** Lets queued calls start, and gives timers, signals and the progress line a turn. */
export async function breathe(
  ctx: ExecutionContext,
  last: PatternHandle<unknown> | undefined,
): Promise<void> {
  // Awaiting a result would empty the device's queue; that calls have started bounds how far they run ahead.
  await (ctx.gpu ? ctx.gpu.started() : last);
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
