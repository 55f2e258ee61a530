import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { defineOperator, loadSimulation, Registry, runSimulation } from '@corpuscle/core';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';
import { nextTimeStep } from './nextTimeStep.js';
import { planKey } from './stateKeys.js';

const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-clock-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const plan = defineOperator({
  name: 'plan',
  doc: 'Stands for begin_run.',
  slots: {},
  provides: [planKey],
  execute: () => {},
});
/** Sets the clock as a frame does that was read. */
const jump = defineOperator({
  name: 'jump',
  doc: 'Sets the clock.',
  slots: {},
  execute({ state }) {
    state.step = 1000;
    state.time = 50;
  },
});

async function clockAfter(body: string): Promise<{ step: number; time: number }> {
  const file = path.join(folder, 'in.yaml');
  writeFileSync(file, `next_time_step: { dt: 0.1 }\nsimulation: [plan, ${body}]\n`);
  const operators = new Registry().add(plan, jump, nextTimeStep);
  const { state } = await runSimulation(loadSimulation([file], { operators }));
  return { step: state.step, time: state.time };
}

it('multiplies the time step, so that rounding does not add up', async () => {
  // The sum of ten steps of 0.1 is 0.9999999999999999.
  expect(await clockAfter('{ loop: 10, body: next_time_step }')).toEqual({ step: 10, time: 1 });
  const { time } = await clockAfter('{ loop: 12345, body: next_time_step }');
  expect(time).toBe(12345 * 0.1);
});

it('counts on from where the clock was set', async () => {
  const steps = (n: number) => `{ loop: ${n}, body: next_time_step }`;
  expect(await clockAfter(`${steps(3)}, jump, ${steps(7)}`)).toEqual({
    step: 1007,
    time: 50 + 7 * 0.1,
  });
});

it('ends a loop that no operator advances, instead of going on for ever', async () => {
  const file = path.join(folder, 'still.yaml');
  const lines = [
    'global: { dt: 0.005, end_iteration: 3 }',
    'particle_types: { A: { mass: 1 } }',
    'setup_system: [{ lattice: { structure: fcc, density: 0.8, repeat: [3, 3, 3], types: [A] } }]',
    'compute_force: [{ lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 } }]',
    'numerical_scheme: { cell_rescale: { pressure: 1, temperature: 1, tau: 1 } }',
    'simulation: molecular_dynamics',
  ];
  writeFileSync(file, lines.join('\n'));
  const simulation = loadSimulation([file], { operators: createRegistry() });
  await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
  await expect(runSimulation(simulation, { context, outputDirectory: folder })).rejects.toThrow(
    /nothing in a step advances the clock/,
  );
});
