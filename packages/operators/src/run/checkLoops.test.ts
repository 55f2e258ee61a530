import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';

const load = (rest: string) => {
  const text = `
configuration: { units: lj }
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system: [lattice: { structure: sc, density: 1, repeat: [4, 4, 4], types: [A] }]
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 } }
${rest}`;
  return loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() });
};
const run = 'simulation: molecular_dynamics\n';

it.each([
  ['begin_stage', 'dump_data: [begin_stage: { steps: 10 }]', 13],
  ['begin_stage', 'numerical_scheme: [begin_stage: { duration: 1 }, velocity_verlet]', 20],
  ['replicate', 'after_drift: [[replicate: { repeat: [2, 1, 1] }]]', 16],
])(
  '%s is refused where a run would do it in every step and never end: %s',
  (name, batch, column) => {
    expect(() => load(`${run}${batch}`)).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUE',
        message: expect.stringMatching(new RegExp(`^${name} would .* in every step`)),
        location: expect.objectContaining({ line: 8, column }),
      }),
    );
  },
);

it.each([
  ['dump_data: [langevin: { temperature: 1, friction: 1 }]', 13],
  ['numerical_scheme: [velocity_verlet]\ndump_data: [[velocity_verlet]]', 14],
])(
  'a scheme beside numerical_scheme is refused, which made steps that had no end: %s',
  (batch, column) => {
    expect(() => load(`${run}${batch}`)).toThrow(
      expect.objectContaining({
        code: 'INVALID_VALUE',
        message: expect.stringMatching(
          /^a scheme beside numerical_scheme would make a step of its own/,
        ),
        location: expect.objectContaining({ column }),
      }),
    );
  },
);

it('stages in cycles, and boxes that are repeated now and then, are not refused', () => {
  const cycles = '{ loop: 2, body: [replicate: { repeat: [2, 1, 1] }, run: { steps: 5 }] }';
  load(`simulation: [setup_system, ${cycles}]`);
  const once = "{ condition: 'step == 5', body: [replicate: { repeat: [2, 1, 1] }] }";
  load(`${run}after_drift: [${once}]`);
});
