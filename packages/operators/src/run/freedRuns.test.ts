import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineOperator, loadSimulation, type Registry, runSimulation } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';
import { gridKey } from './stateKeys.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-freed-'));
let context: ExecutionContext;
beforeAll(async () => {
  context = await createExecutionContext({ backend: 'cpu', threads: 2 });
});
afterAll(async () => {
  await context.close();
  rmSync(folder, { recursive: true });
});

const document = {
  configuration: { units: 'lj', seed: 1 },
  global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 10, thermo_frequency: 10 },
  particle_types: { A: { mass: 1 } },
  setup_system: [
    { lattice: { structure: 'fcc', density: 0.8442, repeat: [5, 5, 5], types: ['A'] } },
    { init_temperature: { temperature: 1.44 } },
  ],
  compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }],
  dump_data: [
    { write_gsd: { file: 'a.gsd', frequency: 10 } },
    { radial_distribution: { file: 'rdf.csv', every: 10, r_max: 2.5, bins: 20 } },
    { coordination: { group_a: 'all', switch: { r_0: 1.3, d_max: 2 }, file: 'c.csv', every: 10 } },
  ],
  simulation: 'molecular_dynamics',
};
const run = (more: object = {}, operators: Registry = createRegistry()) => {
  const text = JSON.stringify({ ...document, ...more });
  const simulation = loadSimulation([{ name: 'run', text }], { operators });
  return runSimulation(simulation, { context, outputDirectory: folder, older: 'replace' });
};
const used = () => context.heap.allocatedBytes;
/** Arguments of kernels, less than a hundredth of the particles of a run. */
const FEW = 2000;

it('twenty runs in one context leave its memory as it was, once their results are disposed of', async () => {
  const before = used();
  let ofParticles = 0;
  for (let k = 0; k < 20; k++) {
    using result = await run();
    expect(result.state.get(gridKey).count).toBe(500);
    ofParticles = used() - before;
  }
  expect(ofParticles).toBeGreaterThan(300_000);
  expect(used() - before).toBeLessThan(20 * FEW);
});

it('a run that fails leaves nothing, in a step or while it is set up', async () => {
  const failing = defineOperator({
    name: 'fails',
    doc: 'Fails.',
    slots: {},
    execute() {
      throw new Error('as it should');
    },
  });
  const registry = () => createRegistry().add(failing);
  const before = used();
  for (let k = 0; k < 3; k++) {
    await expect(run({ dump_data: ['fails'] }, registry())).rejects.toThrow(/as it should/);
    const inDomain = [{ domain: { upper: [9, 9, 9] } }, ...document.setup_system.slice(1)];
    await expect(run({ setup_system: inDomain })).rejects.toThrow(/no particles/);
  }
  expect(used() - before).toBeLessThan(6 * FEW);
});

it('memory that a program keeps stays with it', async () => {
  const result = await run();
  const { state } = result;
  state.keepMemory();
  result[Symbol.dispose]();
  expect(state.get(gridKey).count).toBe(500);
  state.get(gridKey).free();
});
