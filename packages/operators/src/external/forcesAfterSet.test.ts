import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';

const warningsOf = (...forces: string[]) => {
  const text = `
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system: [lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }]
simulation: molecular_dynamics
compute_force:
${forces.map((force) => `  - ${force}\n`).join('')}`;
  return loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() }).warnings;
};
const pairs = 'lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }';
const pull = 'add_force: { force: [1, 0, 0] }';

it.each(['set_force: { x: 0 }', 'freeze'])('forces of pairs after %s are told', (set) => {
  const warnings = warningsOf(pull, set, pull, pairs);
  const name = set.split(':')[0]!;
  expect(warnings).toEqual([
    expect.objectContaining({
      message: `lennard_jones_force comes after ${name} and adds its forces to those that ${name} has set: put ${name} after it in compute_force`,
      location: expect.objectContaining({ file: 'in.yaml', line: 8, column: 5 }),
    }),
  ]);
  expect(warningsOf(pairs, set, pull)).toEqual([]);
});
