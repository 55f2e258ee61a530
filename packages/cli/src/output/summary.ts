import type { SimulationState, UnitSystem } from '@corpuscle/core';
import { gridKey, statisticsKey } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import { perDay } from './SpeedMeter.js';

/** The figures of a summary by name, for programs. */
export function summaryOf(state: SimulationState, ctx: ExecutionContext) {
  const { backend, precision, threads } = ctx;
  const statistics = state.find(statisticsKey);
  const machine = { backend, precision, threads };
  const run = { atoms: state.find(gridKey)?.total, step: state.step };
  if (!statistics) return { ...machine, ...run };
  const { steps, startedAt, endedAt, updates } = statistics;
  const seconds = (endedAt - startedAt) / 1000;
  return { ...machine, ...run, steps, seconds, rebuilds: updates.rebuilds };
}

/** What a summary cannot see in the state of a run. */
export interface SummaryOptions {
  readonly threadsAsked?: number;
  /** The time that was simulated, in internal units. */
  readonly simulated?: { readonly units: UnitSystem; readonly time: number };
}

/** What a person wants to know at the end: how much, how fast, on what, and why there. */
export function formatSummary(
  state: SimulationState,
  ctx: ExecutionContext,
  { threadsAsked, simulated }: SummaryOptions = {},
): string {
  const rows: [string, string][] = [];
  const grid = state.find(gridKey);
  const statistics = state.find(statisticsKey);
  if (grid) rows.push(['atoms', grouped(grid.total)]);
  rows.push(['backend', backendLine(ctx)]);
  rows.push(['precision', ctx.precision]);
  if (ctx.backend === 'cpu') {
    const capped = threadsAsked !== undefined && threadsAsked > ctx.threads;
    rows.push([
      'threads',
      `${ctx.threads}${capped ? ` (${threadsAsked} asked for, more than there are cores)` : ''}`,
    ]);
    if (ctx.lowering !== 'simd') rows.push(['lowering', ctx.lowering]);
  }
  if (grid && statistics) {
    const { steps, startedAt, endedAt, updates } = statistics;
    const { rebuilds } = updates;
    const seconds = (endedAt - startedAt) / 1000;
    rows.push(['steps', steps === 0 ? '0' : `${grouped(steps)} in ${seconds.toPrecision(3)} s`]);
    if (steps > 0 && seconds > 0) {
      const rate = steps / seconds;
      const speeds = [
        `${significant(rate)} steps/s`,
        `${significant(rate * grid.total)} atom-steps/s`,
      ];
      if (simulated && simulated.time > 0) {
        const { timePerDay, timeUnit } = perDay(simulated.units, simulated.time, seconds);
        speeds.push(`${significant(timePerDay)} ${timeUnit}/day`);
      }
      rows.push(['speed', speeds.join(', ')]);
    }
    const lists = `built ${rebuilds} ${rebuilds === 1 ? 'time' : 'times'}`;
    const lasting =
      rebuilds > 1 && steps > 0 ? `, each lasts ${(steps / rebuilds).toFixed(1)} steps` : '';
    const { tunedSkin } = updates;
    const skin = tunedSkin === undefined ? '' : `; skin ${tunedSkin.toPrecision(3)} (tuned)`;
    rows.push(['lists', `${lists}${lasting}${skin}`]);
  }
  const width = Math.max(...rows.map(([name]) => name.length));
  return `\n${rows.map(([name, text]) => `${name.padEnd(width)}  ${text}\n`).join('')}`;
}

function backendLine(ctx: ExecutionContext): string {
  if (ctx.backend !== 'cpu') return `${ctx.backend} (${ctx.backendReason})`;
  return ctx.requested === 'cpu' ? 'cpu (asked for)' : `cpu (${ctx.backendReason})`;
}

/** 12 345 678 → 12,345,678. */
export function grouped(value: number): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, ',');
}

function significant(value: number): string {
  if (value < 1000) return value.toPrecision(3);
  return value < 1e6 ? grouped(Math.round(value)) : value.toExponential(2).replace('e+', 'e');
}
