import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry, gridKey } from '@corpuscle/operators';
import {
  createExecutionContext,
  type Precision,
  reduceCellParticles,
  reduceFunctor,
} from '@corpuscle/patterns';
import { afterAll, expect, it, vi } from 'vitest';
import { meltYaml } from './support/runCli.js';
import { runs } from './support/runs.js';

// More threads than there are cores, at which contexts cap them.
vi.mock('../packages/patterns/src/engine/availableThreads.js', () => ({
  availableThreads: () => 8,
}));

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-bits-'));
afterAll(() => rmSync(folder, { recursive: true }));

const metal = {
  configuration: '{ units: metal, seed: 11, deterministic: true }',
  global: '{ dt: 0.001, rcut_inc: 0.3, end_iteration: 60, thermo_frequency: 10 }',
};
const crystal = (structure: string, a: number, repeat: number, type: string): string =>
  `\n  - lattice: { structure: ${structure}, lattice_constant: ${a}, repeat: [${repeat}, ${repeat}, ${repeat}], types: [${type}] }\n  - init_temperature: { temperature: 900 }`;

/** Pairs with half lists, buffers and rebuilds; three-body and many-body forces, which scatter to neighbors. */
const systems = {
  melt: {
    configuration: '{ units: lj, seed: 87287, deterministic: true }',
    global: '{ dt: 0.005, end_iteration: 120, thermo_frequency: 20 }',
    setup_system:
      '\n  - lattice: { structure: fcc, density: 0.8442, repeat: [6, 6, 6], types: [A] }\n  - init_temperature: { temperature: 1.44 }',
  },
  silicon: {
    ...metal,
    particle_types: '{ Si: { mass: 28.085 } }',
    setup_system: crystal('diamond', 5.431, 3, 'Si'),
    compute_force:
      '\n  - stillinger_weber_force: { epsilon: 2.1683, sigma: 2.0951, a: 1.8, lambda: 21, gamma: 1.2, cos_theta0: "-1/3", A: 7.049556277, B: 0.6022245584, p: 4, q: 0 }',
  },
  copper: {
    ...metal,
    particle_types: '{ Cu: { mass: 63.5 } }',
    setup_system: crystal('fcc', 3.61, 4, 'Cu'),
    compute_force:
      '\n  - sutton_chen_force: { epsilon: "12.382 meV", a: "0.361 nm", n: 9, m: 6, c: 39.432, rcut: 5.4 }',
  },
} as const;

const sums = reduceFunctor(
  { name: 'sums', read: { vx: 'real', fx: 'real' }, result: { sum: 'sum', largest: 'max' } },
  (acc, i) => {
    acc.sum += i.vx * i.fx;
    acc.largest = Math.max(acc.largest, i.fx);
  },
);

/** Table, last state and a reduction of a run, to the last bit. */
async function resultsOf(system: keyof typeof systems, threads: number, precision: Precision) {
  const file = path.join(folder, `${system}.yaml`);
  const output = path.join(folder, `${system}-${threads}-${precision}`);
  writeFileSync(
    file,
    meltYaml({
      ...systems[system],
      dump_data: '\n  - write_extended_xyz: { file: frames.xyz, frequency: 30 }',
    }),
  );
  const simulation = loadSimulation([file], { operators: createRegistry() });
  await using context = await createExecutionContext({
    backend: 'cpu',
    threads,
    precision,
    deterministic: true,
  });
  expect(context.threads).toBe(threads);
  await context.ready();
  const { state } = await runSimulation(simulation, {
    context,
    outputDirectory: output,
    older: 'replace',
  });
  const totals = await reduceCellParticles(
    state.get(gridKey),
    sums,
    { sum: 0, largest: -1e9 },
    context,
  );
  const [table, frames] = ['thermo.csv', 'frames.xyz'].map((name) =>
    readFileSync(path.join(output, name), 'utf8'),
  );
  return { table, frames, totals };
}

const known: readonly (readonly [keyof typeof systems, Precision])[] = [
  ['melt', 'f64'],
  ['silicon', 'f64'],
  ['copper', 'f64'],
  ['melt', 'mixed'],
];
it.each(runs(known.slice(0, 3), known))(
  'deterministic runs of %s in %s give the same bits with any number of threads',
  async (system, precision) => {
    const first = await resultsOf(system, 1, precision);
    for (const threads of runs([3], [1, 2, 5, 8]))
      expect(await resultsOf(system, threads, precision), `${threads} threads`).toEqual(first);
  },
);
