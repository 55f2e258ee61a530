import { readFileSync } from 'node:fs';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { openReplicas } from '@corpuscle/patterns/replicas';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { GpuEngine } from '../packages/patterns/src/gpu/GpuEngine.js';
import { Workplace } from './support/runCli.js';
import { runs } from './support/runs.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

/** 108 atoms, for which one workgroup of one thread an atom is enough: that may always wait for itself. */
const simulation = (seed: number, scheme: string, more: string) => `
configuration: { units: lj, seed: ${seed} }
global: { dt: 0.004, rcut_inc: 0.4, end_iteration: 72, thermo_frequency: 6 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 1.4 }
compute_force:
  - lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.0, shift: energy }
numerical_scheme: ${scheme}
simulation: molecular_dynamics
${more}`;

/** Of the box. */
const edge = Math.cbrt(108 / 0.8442);

interface Run {
  readonly seed: number;
  readonly scheme: string;
  readonly more?: string;
}

/** The table of a run, and the steps that it made in series or with others. */
async function run(context: ExecutionContext, { seed, scheme, more = '' }: Run, name: string) {
  const { gpu, pairs } = context.engines.accelerator as GpuEngine;
  pairs.lanes = 1;
  gpu.resident.isOn = true;
  const { steps } = gpu.resident.counters;
  work.write({ [`${name}.yaml`]: simulation(seed, scheme, more) });
  const loaded = loadSimulation([work.path(`${name}.yaml`)], { operators: createRegistry() });
  await runSimulation(loaded, { context, outputDirectory: work.path(name) });
  return {
    table: numbersOf(readFileSync(work.path(`${name}/thermo.csv`), 'utf8')),
    frames: more === '' ? '' : readFileSync(work.path(`${name}/frames.xyz`), 'utf8'),
    steps: gpu.resident.counters.steps - steps,
  };
}

type Made = Awaited<ReturnType<typeof run>>;

const numbersOf = (table: string): number[][] =>
  table
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

/** Their device is closed when they are done: who runs alone gets it, with the kernels that both need. */
async function runTogether(all: readonly Run[]): Promise<Made[]> {
  await using replicas = await openReplicas(all.length);
  const contexts = await Promise.all(all.map(() => replicas.context()));
  return await Promise.all(
    all.map(async (one, k) => {
      const made = await run(contexts[k]!, one, `together-${k}`);
      await contexts[k]!.close();
      return made;
    }),
  );
}

/** What runs have given alone: several tests ask for some of them. */
const madeAlone = new Map<string, Made>();

async function runAlone(one: Run): Promise<Made> {
  const key = JSON.stringify(one);
  const known = madeAlone.get(key);
  if (known) return known;
  // In a context of its own values take the places that they have together: kernels are compiled once for all.
  await using context = await createExecutionContext({ backend: 'webgpu' });
  const made = await run(context, one, 'alone');
  madeAlone.set(key, made);
  return made;
}

/** Runs, together and each alone. */
async function compare(all: readonly Run[]) {
  const together = await runTogether(all);
  for (const [k, one] of all.entries()) {
    const alone = await runAlone(one);
    const made = together[k]!;
    expect(made.table).toHaveLength(13);
    // Sums are added in the order of rows, which is another.
    for (const [row, values] of alone.table.entries())
      for (const [n, value] of values.entries())
        expect(Math.abs(made.table[row]![n]! - value)).toBeLessThan(5e-3 * (1 + Math.abs(value)));
    const [own, other] = [made, alone].map(({ frames }) => frames.split('\n'));
    expect(own).toHaveLength(other!.length);
    for (const [n, line] of own!.entries())
      if (line.startsWith('A ')) {
        const [x, y] = [line, other![n]!].map((text) => text.split(/\s+/).slice(1).map(Number));
        for (const [c, value] of x!.entries()) {
          const apart = (value - y![c]!) / edge;
          expect(edge * (apart - Math.round(apart))).toBeCloseTo(0, 2);
        }
      }
  }
  return together.map(({ steps }) => steps);
}

describe('replicas that take their steps together', () => {
  beforeAll(() => {
    process.env.CORPUSCLE_SOFTWARE_GPU = '1';
  });

  const bussi = '{ bussi: { temperature: 1.0, tau: 0.5 } }';
  const schemes: [string, string][] = [
    ['Bussi', bussi],
    ['NVE', 'velocity_verlet'],
    ['Langevin', '{ langevin: { temperature: 1.0, friction: 1.0 } }'],
    ['Nosé–Hoover', '{ nose_hoover: { temperature: 1.0, tau: 0.5 } }'],
  ];
  const seeds = runs([1, 2], [1, 2, 3]);
  it.each(runs(schemes.slice(0, 1), schemes))(
    'give the rows that each gives alone: %s',
    async (_, scheme) => {
      const steps = await compare(seeds.map((seed) => ({ seed, scheme })));
      for (const made of steps) expect(made).toBeGreaterThan(45);
    },
  );

  it('give the frames that each gives alone, where only some write them', async () => {
    const scheme = runs(bussi, 'velocity_verlet');
    const more = 'dump_data: [{ write_extended_xyz: { file: frames.xyz, frequency: 20 } }]\n';
    const steps = await compare(
      seeds.map((seed) => (seed === 2 ? { seed, scheme, more } : { seed, scheme })),
    );
    for (const made of steps) expect(made).toBeGreaterThan(30);
  });
});
