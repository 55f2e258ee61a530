import { readFileSync } from 'node:fs';
import { findRestart, loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { Workplace } from './support/runCli.js';
import { runs } from './support/runs.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

/** 108 atoms, for which one workgroup of one thread an atom is enough: that may always wait for itself. */
const simulation = (scheme: string, force: string, more: string) => `
configuration: { units: lj }
global: { dt: 0.004, rcut_inc: 0.4, end_iteration: 96, thermo_frequency: 32 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 1.4, seed: 7 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.0, shift: energy }
${force}numerical_scheme: ${scheme}
simulation: molecular_dynamics
${more}`;

const bias = `  - coordination: { group_a: { first: 0, last: 59 }, switch: { type: rational, r_0: 1.1, d_max: 1.8 }, harmonic_bias: { at: 60, kappa: 0.05 }, frequency: 1000 }
`;

/** A scheme, the least number of its steps that are parts of series, and one more force. */
type Case = [name: string, scheme: string, least: number, force?: string];

interface Way {
  /** Whether series of steps are one dispatch. */
  readonly series: boolean;
  readonly scheme: string;
  readonly force?: string;
  readonly more?: string;
  /** Threads a particle. */
  readonly lanes?: 1 | 4;
  /** The step of a checkpoint to go on from. */
  readonly from?: number;
}

describe('series of steps in one dispatch', () => {
  beforeAll(() => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
  });

  /**
   * The table of a run, and the steps that were parts of series. A device whose workgroups did not meet takes no more series; and in
   * a context of their own values take the same places, which kernels name: they are compiled once for all.
   */
  async function run({ series, scheme, force = '', more = '', from, lanes = 1 }: Way) {
    await using context = await createExecutionContext({ backend: 'webgpu' });
    const { gpu, pairs } = context.engines.accelerator as GpuEngine;
    pairs.lanes = lanes;
    gpu.resident.isOn = series;
    work.write({ 'run.yaml': simulation(scheme, force, more) });
    const loaded = loadSimulation([work.path('run.yaml')], { operators: createRegistry() });
    const outputDirectory = work.path('out');
    const checkpoint = work.path(`out/checkpoint.${from}.ckpt`);
    const restart = from && (await findRestart(loaded, { checkpoint, outputDirectory }));
    await runSimulation(loaded, { context, outputDirectory, restart: restart || undefined });
    if (lanes === 1) expect(gpu.resident.isOn).toBe(series);
    return {
      table: readFileSync(work.path('out/thermo.csv'), 'utf8'),
      steps: gpu.resident.counters.steps,
    };
  }

  const some: Case[] = [
    ['a thermostat that rests', '{ bussi: { temperature: 1.0, tau: 0.5, every: 10 } }', 20],
    [
      'collisions, between whose kernels no workgroups meet',
      '{ andersen: { temperature: 1.0, rate: 5.0 } }',
      20,
    ],
    ['a bias', 'velocity_verlet', 40, bias],
  ];
  // A bias has all that NVE has; the tests below have Bussi and Langevin too.
  const others: Case[] = [
    ['NVE', 'velocity_verlet', 40],
    ['Langevin', '{ langevin: { temperature: 1.0, friction: 1.0 } }', 40],
    ['Bussi', '{ bussi: { temperature: 1.0, tau: 0.5 } }', 40],
    ['Nosé–Hoover', '{ nose_hoover: { temperature: 1.0, tau: 0.5 } }', 40],
    [
      'constant pressure and temperature',
      '{ nose_hoover: { temperature: 1.0, tau: 0.5, pressure: 0.5, tau_pressure: 2.0 } }',
      20,
    ],
  ];
  it.each(runs(some, [...some, ...others]))(
    'give the rows of a dispatch each, to the bit: %s',
    async (_, scheme, least, force = '') => {
      const apart = await run({ scheme, force, series: false });
      const whole = await run({ scheme, force, series: true });
      expect(apart.steps).toBe(0);
      expect(whole.steps).toBeGreaterThan(least);
      expect(whole.table.trim().split('\n')).toHaveLength(5);
      expect(whole.table).toBe(apart.table);
    },
  );

  it('give the same rows of several workgroups, whether these can meet or not', async () => {
    const how = { scheme: '{ bussi: { temperature: 1.0, tau: 0.5 } }', lanes: 4 } as const;
    const apart = await run({ ...how, series: false });
    const whole = await run({ ...how, series: true });
    expect(whole.steps).toBeGreaterThan(0);
    expect(whole.table).toBe(apart.table);
  });

  it('go on from a checkpoint in the middle', async () => {
    const scheme = '{ langevin: { temperature: 1.0, friction: 1.0 } }';
    const more = 'dump_data: [{ checkpoint: { frequency: 40, keep: 9 } }]\n';
    const whole = await run({ scheme, more, series: true });
    const rest = await run({ scheme, more, series: true, from: 40 });
    expect(rest.steps).toBeGreaterThan(20);
    expect(rest.steps).toBeLessThan(whole.steps);
    // Sums are added in the order of rows, which is another after a restart.
    expect(rowsOf(rest.table)).toHaveLength(4);
    for (const [k, row] of rowsOf(rest.table).entries())
      for (const [n, value] of row.entries())
        expect(value).toBeCloseTo(rowsOf(whole.table)[k]![n]!, 3);
  });
});

const rowsOf = (table: string): number[][] =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));
