import type { CorpuscleError, Domain, Grid } from '@corpuscle/core';
import {
  type ExecutionContext,
  type NeighbourOptions,
  type NeighbourUpdate,
  newestOnHost,
  type PatternHandle,
  updateNeighbours,
} from '@corpuscle/patterns';
import { reportBlowUp } from '../system/reportBlowUp.js';
import type { PendingUpdates } from './PendingUpdates.js';
import type { ThermoRow } from './thermo/thermoRow.js';

/** What a run asks of its lists in every step; keep it while cutoff and skin are the same. */
export type ListOptions = Readonly<Required<Pick<NeighbourOptions, 'rcut' | 'skin' | 'ahead'>>>;

/**
 * Updates neighbour lists in a run; on the CPU a blow-up is noticed here, in the step in which it happens.
 * @throws CorpuscleError NOT_FINITE naming the step and a particle.
 */
export function refreshLists(
  grid: Grid,
  ctx: ExecutionContext,
  options: ListOptions,
  step: number,
): PatternHandle<NeighbourUpdate> {
  let update: PatternHandle<NeighbourUpdate>;
  try {
    update = updateNeighbours(grid, ctx, options);
  } catch (error) {
    if ((error as CorpuscleError).code === 'NOT_FINITE') reportBlowUp(grid, step);
    throw error;
  }
  // The GPU is not made to wait: there checkUpdates tells later.
  if (ctx.backend === 'cpu' && update.done && !isMotionSound(update.value, grid))
    reportBlowUp(grid, step);
  return update;
}

/**
 * Counts the list updates that are done, and looks for a blow-up in them.
 * @throws CorpuscleError NOT_FINITE naming the step and a particle.
 */
export function checkUpdates(
  updates: PendingUpdates,
  grid: Grid,
  ctx: ExecutionContext,
): void | Promise<void> {
  for (let update = updates.takeDone(); update; update = updates.takeDone())
    if (!isMotionSound(update, grid)) return blownUp(grid, ctx, updates.takenStep);
  return undefined;
}

async function blownUp(grid: Grid, ctx: ExecutionContext, step: number): Promise<never> {
  await newestOnHost(grid, ctx);
  return reportBlowUp(grid, step);
}

/** Whether particles have moved no farther than they do in a run that is sound. */
function isMotionSound({ maxDisplacement }: NeighbourUpdate, grid: Grid): boolean {
  return maxDisplacement < tooFar(grid);
}

/** The box that was last asked about, and its limit: domains never change. */
let lastDomain: Domain | null = null;
let lastLimit = 0;

/** Nothing crosses the box many times between two list checks in a run that is sound. */
function tooFar({ domain }: Grid): number {
  if (domain !== lastDomain) {
    lastDomain = domain;
    lastLimit = 10 * Math.max(...domain.heights);
  }
  return lastLimit;
}

/**
 * Whether energies are numbers, and no particle crosses the box many times a step.
 * @param move the farthest that a particle goes in one step.
 */
export function isSound(row: ThermoRow, move: number, grid: Grid): boolean {
  return Number.isFinite(row.total_energy) && Number.isFinite(row.pressure) && move < tooFar(grid);
}

/** Whether steps wait for the device: then the loop should too, or it would queue steps without end. */
export const mustWait = (ctx: ExecutionContext): boolean => ctx.gpu !== null && !ctx.gpu.idle;

/** Lets queued calls start, and gives timers, signals and the progress line a turn. */
export async function breathe(ctx: ExecutionContext): Promise<void> {
  // Awaiting a result would empty the device's queue; that calls have started bounds how far they run ahead.
  await ctx.gpu?.started();
  await new Promise<void>((resolve) => {
    setImmediate(resolve);
  });
}
