import { readFileSync } from 'node:fs';
import { defineOperator, loadSimulation, runSimulation, stateKey } from '@corpuscle/core';
import {
  addForces,
  createRegistry,
  type ForceRequest,
  type ForceTerm,
  gridKey,
  ledgerKey,
  lennardJonesForce,
} from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from './support/runCli.js';

const work = new Workplace();
beforeAll(() => {
  process.env.CORPUSCLE_SOFTWARE_GPU = '1';
});
afterAll(() => work.remove());

/** What force terms were asked for, by step. */
interface Asked extends ForceRequest {
  readonly step: number;
}
const askedKey = stateKey<Asked[]>('asked', 'what forces were asked for');

const watchedForce = defineOperator({
  name: 'watched_force',
  doc: 'Lennard-Jones forces that note what they are asked for.',
  slots: { rcut: { type: 'number', default: 2.5, doc: 'cutoff' } },
  requires: [gridKey],
  provides: [ledgerKey],
  prepare({ slots, state }): ForceTerm {
    const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: slots.rcut });
    return {
      ...term,
      prepare: undefined, // evaluations that are prepared would be repeated without being asked for
      compute(grid, ctx, request) {
        state.obtain(askedKey, () => []).push({ step: state.step, ...request });
        return term.compute(grid, ctx, request);
      },
    };
  },
  execute: ({ state, own }) => addForces(state, own),
});

const virialKey = stateKey<[number, number][]>('virials', 'steps and virials');

/** A user's own operator: it reads the virial every 7 steps. */
const virialLog = defineOperator({
  name: 'virial_log',
  doc: 'Logs the trace of the virial.',
  slots: { frequency: { type: 'integer', min: 1, default: 7, doc: 'steps between rows' } },
  every: 'frequency',
  needs: ['virial'],
  requires: [ledgerKey],
  async execute({ state }) {
    const { virial } = await state.get(ledgerKey).totals();
    state.obtain(virialKey, () => []).push([state.step, virial[0] + virial[1] + virial[2]]);
  },
});

it.each(['cpu', 'webgpu'] as const)(
  'virials are computed in the steps in which an imported operator reads them, on %s',
  async (backend) => {
    const global = '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 30 }';
    const parts = { global, compute_force: '[watched_force]' };
    const thermo = (dump: string, output = '[dump_data]') => ({ output, dump_data: `[${dump}]` });
    await using context = await createExecutionContext({ backend, threads: 1 });
    const run = async (more: Record<string, string>) => {
      work.write({ 'run.yaml': meltYaml({ ...parts, ...more }) });
      const operators = createRegistry().add(watchedForce, virialLog);
      const simulation = loadSimulation([work.path('run.yaml')], { operators });
      return (await runSimulation(simulation, { context, outputDirectory: work.path('out') }))
        .state;
    };

    const own = await run(thermo('virial_log'));
    const asked = own.get(askedKey);
    // One evaluation a step, so that none was made again for its virial.
    expect(asked.map(({ step }) => step)).toEqual(Array.from({ length: 31 }, (_, step) => step));
    const steps = (of: readonly Asked[], what: 'totals' | 'energies') =>
      of.filter((request) => request[what]).map(({ step }) => step);
    expect(steps(asked, 'totals')).toEqual([0, 7, 14, 21, 28]);
    expect(steps(asked, 'energies')).toEqual([]);

    // The same trace as in the thermo table: W = 3 P V − 2 K.
    const both = await run(
      thermo(
        'virial_log: { frequency: 10 }, write_extended_xyz: { file: e.xyz, frequency: 12 }',
        '[thermo: { frequency: 15 }, dump_data]',
      ),
    );
    expect(steps(both.get(askedKey), 'totals')).toEqual([0, 10, 15, 20, 30]);
    expect(steps(both.get(askedKey), 'energies')).toEqual([0, 12, 24]);
    expect(both.get(askedKey)).toHaveLength(31);
    const table = readFileSync(work.path('out/thermo.csv'), 'utf8').trim().split('\n').slice(1);
    const rows = table.map((row) => row.split(',').map(Number));
    expect(rows.map(([step]) => step)).toEqual([0, 15, 30]);
    const volume = 256 / 0.8442;
    for (const [step, , , , kinetic, , pressure] of rows) {
      const found = both.get(virialKey).find(([at]) => at === step);
      if (!found) continue;
      const expected = 3 * pressure! * volume - 2 * kinetic!;
      expect(Math.abs(found[1] / expected - 1)).toBeLessThan(1e-6);
    }
    expect(both.get(virialKey).map(([step]) => step)).toEqual([0, 10, 20, 30]);
  },
  300_000,
);
