import { readFileSync } from 'node:fs';
import { defineOperator, loadSimulation, type RunResult, runSimulation } from '@corpuscle/core';
import {
  contextOf,
  createGrid,
  createRegistry,
  gridKey,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import {
  cellFunctor,
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
} from '@corpuscle/patterns';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

/** Waits for the particles in every step, as an operator does that writes them somewhere. */
const look = defineOperator({
  name: 'look',
  doc: 'Waits for the newest positions.',
  slots: {},
  requires: [gridKey],
  execute: ({ state }) => newestOnHost(state.get(gridKey), contextOf(state), ['rx']),
});

const stir = cellFunctor({ name: 'stir', fields: { rx: 'real' }, read: { vy: 'real' } }, (i) => {
  i.rx += 0.1 * i.vy;
});

/** Moves particles at an unexpected place. */
const stirs = defineOperator({
  name: 'stirs',
  doc: 'Moves some particles by more than half the skin.',
  slots: {},
  requires: [gridKey],
  execute({ state }) {
    computeCellParticles(state.get(gridKey), stir, contextOf(state), {});
  },
});

const global = '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 40, thermo_frequency: 7 }';

async function run(context: ExecutionContext, yaml: string): Promise<RunResult> {
  work.write({ 'run.yaml': yaml });
  const operators = createRegistry().add(look, stirs);
  const simulation = loadSimulation([work.path('run.yaml')], { operators });
  return runSimulation(simulation, { context, outputDirectory: work.path('out') });
}

const table = () => readFileSync(work.path('out/thermo.csv'), 'utf8');

describe('runs on WebGPU', () => {
  let context: ExecutionContext;
  beforeAll(async () => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
    context = await createExecutionContext({ backend: 'webgpu' });
  });
  afterAll(() => context.close());

  it('give the same table to the last bit, whether or not steps are awaited', async () => {
    await run(context, meltYaml({ global }));
    const rows = table();
    expect(rows.split('\n').map((row) => row.split(',')[0])).toEqual(
      ['step', 0, 7, 14, 21, 28, 35, 40, ''].map(String),
    );
    await run(context, meltYaml({ global, dump_data: '[look]' }));
    expect(table()).toBe(rows);
  });

  it('do not wait for frames, which change no bit of the table', async () => {
    await run(context, meltYaml({ global }));
    const rows = table();
    const { counters } = (context.engines.accelerator as GpuEngine).gpu;
    const before = counters.submits;
    const file = '[{ write_lammps_dump: { file: a.dump, frequency: 5 } }]';
    await run(context, meltYaml({ global, dump_data: file }));
    expect(table()).toBe(rows);
    expect(counters.submits - before).toBeLessThan(16); // three more frames would be awaited one by one
    const frames = readFileSync(work.path('out/a.dump'), 'utf8').split('ITEM: TIMESTEP\n').slice(1);
    expect(frames.map((frame) => Number.parseInt(frame, 10))).toEqual(
      Array.from({ length: 9 }, (_, k) => 5 * k),
    );
    for (const frame of frames)
      expect(frame.split('ITEM: ATOMS')[1]!.match(/^\d.* A /gm)).toHaveLength(256);
  });

  it('notice particles that an operator moves between clearing and computing forces', async () => {
    await using cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const yaml = meltYaml({
      global: '{ dt: 0.005, end_iteration: 1, thermo_frequency: 1 }',
      update_forces: '[zero_force, stirs, compute_force]',
    });
    const energies: number[][] = [];
    for (const ctx of [cpu, context]) {
      await run(ctx, yaml);
      const rows = table().trimEnd().split('\n').slice(1);
      energies.push(rows.map((row) => Number(row.split(',')[3])));
    }
    expect(energies[0]).toHaveLength(2);
    energies[0]!.forEach((energy, k) => {
      expect(Math.abs(energies[1]![k]! / energy - 1)).toBeLessThan(2e-5);
    });
  });

  it('name the step in which they blew up, also when no result was read', async () => {
    const wild = '{ dt: 5, end_iteration: 30, thermo_frequency: 30 }';
    const failure = await run(context, meltYaml({ global: wild })).catch((error) => error);
    expect(failure).toMatchObject({ code: 'NOT_FINITE' });
    const step = Number(/blew up at step (\d+) at particle/.exec(failure.message)![1]);
    expect(step, failure.message).toBeLessThan(30);
  });

  it('name it without YAML and without a table too', async () => {
    const crystal = lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] });
    const grid = createGrid(crystal, [{ name: 'A', mass: 1 }], context.heap);
    initTemperature(grid, { temperature: 1.44, seed: 1 });
    const forces = [lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 })];
    const failed = molecularDynamics(grid, context, { forces, dt: 5, steps: 30, skin: 0.3 });
    await expect(failed).rejects.toMatchObject({
      code: 'NOT_FINITE',
      message: expect.stringMatching(/^the run blew up at step \d+ at particle \d+/),
    });
    grid.free();
  });
});

// After the context above is closed: the command gets its device, with all that is compiled.
describe('runs of the command on WebGPU', () => {
  it('move no particles while steps are made, and submit many steps at once', async () => {
    const { code, out, err } = await cli(meltYaml({ global }), '--profile');
    expect(code, err).toBe(0);
    const found = /in the loop of 40 steps: 0 B to the device, (.+) back in (\d+) reads, (\d+) s/;
    const [, back, reads, submits] = found.exec(out)!;
    expect(back).toMatch(/ B$|^[1-3]\.\d KiB$/); // 256 positions alone would be 4 KiB
    expect(Number(reads)).toBeLessThan(30);
    expect(Number(submits)).toBeLessThan(6);
    expect(out).toMatch(/^on the device, for +dispatches +time +share +to it +back +reads$/m);
    expect(out).toMatch(/^lennard_jones_force +\d+ +\d\.\d{3} s +[\d.]+ % +0 B /m);
    // Kernels are timed call by call, and the host makes whole steps at once.
    expect(out).toMatch(/^push_velocity_and_position +40 +\d\.\d{3} s /m);
    expect(out).toMatch(/^fused step +\d+ /m);
  });

  it('tell of the kernels of the device in a trace', async () => {
    const { code, err } = await cli(meltYaml({ global }), '--trace', work.path('trace.json'));
    expect(code, err).toBe(0);
    const events = JSON.parse(readFileSync(work.path('trace.json'), 'utf8')) as {
      readonly ph: string;
      readonly name: string;
      readonly cat?: string;
      readonly dur: number;
      readonly args: { readonly operator?: string };
    }[];
    const kernels = events.filter(({ ph, cat }) => ph === 'X' && cat === 'kernel');
    const forces = kernels.filter(({ name }) => name.startsWith('lennard_jones'));
    expect(forces.length).toBeGreaterThanOrEqual(40);
    expect(forces.every(({ dur, args }) => dur > 0 && /lennard/.test(args.operator!))).toBe(true);
  });
});

function cli(yaml: string, ...options: string[]) {
  work.write({ 'run.yaml': yaml });
  const output = ['--output', work.path('out'), '--backend', 'webgpu'];
  return runCli(['run', work.path('run.yaml'), ...output, ...options]);
}
