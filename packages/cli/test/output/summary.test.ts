import { SimulationState, type StateKey, UnitSystem } from '@corpuscle/core';
import { gridKey, statisticsKey } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { formatSummary, type SummaryOptions } from '../../src/output/summary.js';

/** The summary of a run of that many steps in two seconds. */
function summaryOf(
  steps: number,
  rebuilds: number,
  tunedSkin?: number,
  options: SummaryOptions = {},
): string {
  const state = new SimulationState({} as ConstructorParameters<typeof SimulationState>[0]);
  const set = <T>(key: StateKey<T>, value: unknown) => state.set(key, value as T);
  set(gridKey, { total: 4000 });
  set(statisticsKey, { steps, startedAt: 1000, endedAt: 3000, updates: { rebuilds, tunedSkin } });
  const ctx = { backend: 'cpu', requested: 'cpu', precision: 'f64', threads: 2, lowering: 'simd' };
  return formatSummary(state, ctx as unknown as ExecutionContext, options);
}

describe('the line about neighbor lists', () => {
  it('says how long lists last where they were built more than once', () => {
    expect(summaryOf(100, 8)).toContain('lists      built 8 times, each lasts 12.5 steps\n');
  });

  it('says nothing of it if the first lists served to the end, or if there are no lists', () => {
    expect(summaryOf(100, 1)).toContain('lists      built 1 time\n');
    expect(summaryOf(100, 0)).toContain('lists      built 0 times\n');
    expect(summaryOf(0, 2)).toContain('lists      built 2 times\n');
  });

  it('names a skin that was tuned', () => {
    expect(summaryOf(100, 8, 0.3125)).toContain('each lasts 12.5 steps; skin 0.313 (tuned)\n');
  });
});

it('groups digits and counts steps a second', () => {
  expect(summaryOf(1234567, 1)).toContain(
    'steps      1,234,567 in 2.00 s\nspeed      617,284 steps/s, 2.47e9 atom-steps/s\n',
  );
});

it('tells simulated time per day, in the units that people use', () => {
  const day = (units: UnitSystem, time: number) =>
    summaryOf(100, 1, undefined, { simulated: { units, time } });
  expect(day(UnitSystem.lj, 0.5)).toContain(' atom-steps/s, 21,600 τ/day\n');
  const metal = UnitSystem.of('metal'); // ps
  expect(day(metal, 0.5 * metal.parse('1 ps', { time: 1 }))).toContain(
    ' atom-steps/s, 21.6 ns/day\n',
  );
});
