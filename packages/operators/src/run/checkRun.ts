import type { Domain, Grid } from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import type { ExecutionContext, NeighborUpdate } from '@corpuscle/patterns';
import type { ThermoRow } from './thermo/thermoRow.js';

/** Whether particles have moved no farther than they do in a run that is sound. */
export function areDisplacementsSound({ maxDisplacement }: NeighborUpdate, grid: Grid): boolean {
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
export const mustWait = (ctx: ExecutionContext): boolean => ctx.device !== null && !ctx.device.idle;

/** Lets queued calls start, and gives timers, signals and the progress line a turn. */
export async function breathe(ctx: ExecutionContext): Promise<void> {
  // Awaiting a result would empty the device's queue; that calls have started bounds how far they run ahead.
  await ctx.device?.started();
  await new Promise<void>(host.later);
}
