import { defineOperator, dimensions, loadSimulation, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey, thermoKey } from '@corpuscle/operators';
import { cellFunctor, computeCellParticles, createExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const push = cellFunctor(
  { name: 'push', fields: { vx: 'real' }, params: { dvx: 'real' } },
  (i, p) => {
    i.vx += p.dvx;
  },
);

const pushAll = defineOperator({
  name: 'push_all',
  doc: 'Adds to the velocity of every particle along x.',
  slots: {
    dvx: { type: 'quantity', dimension: dimensions.velocity, required: true, doc: 'what is added' },
  },
  requires: [gridKey],
  execute({ slots, state }) {
    const params = { dvx: slots.dvx };
    computeCellParticles(state.get(gridKey), push, contextOf(state), { params });
  },
});

it("a user's operator takes part in molecular dynamics, on either backend", async () => {
  process.env.CORPUSCLE_SOFTWARE_GPU = '1';
  const yaml = meltYaml({
    global: '{ dt: 0.005, end_iteration: 5 }',
    first_iteration: '\n  - push_all: { dvx: 2 }',
  });
  work.write({ 'run.yaml': yaml });
  const energies: number[] = [];
  for (const backend of ['cpu', 'webgpu'] as const) {
    const simulation = loadSimulation([work.path('run.yaml')], {
      operators: createRegistry().add(pushAll),
    });
    await using context = await createExecutionContext({ backend });
    const { state, status } = await runSimulation(simulation, {
      context,
      outputDirectory: work.path(backend),
    });
    expect(status).toBe('completed');
    expect(state.step).toBe(5);
    energies.push(state.get(thermoKey).kinetic_energy);
  }
  // 256 particles pushed to 2 along x carry 512 more than the thermal energy, which is between 250 and 551.
  expect(energies[0]).toBeGreaterThan(512 + 250);
  expect(energies[0]).toBeLessThan(512 + 551);
  expect(Math.abs(energies[1]! / energies[0]! - 1)).toBeLessThan(1e-5);
});
