import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../../createRegistry.js';

const warningsOf = (change: string, dump: string) => {
  const text = `
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }
  - group: { name: stays, region: { ids: { first: 0, last: 9 } } }
  - delete_particles: { fraction: 0.1 }
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }
after_drift: [${change}]
dump_data: [${dump}]
simulation: molecular_dynamics`;
  return loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() }).warnings;
};
const msd = (more = '') => `mean_square_displacement: { every: 2, file: msd.csv${more} }`;
const goes = 'delete_particles: { fraction: 0.1, every: 3 }';

it.each([
  ['mean_square_displacement', 'delete_particles', goes, msd()],
  [
    'velocity_autocorrelation',
    'create_particles',
    'create_particles: { type: A, count: 1, every: 3 }',
    'velocity_autocorrelation: { every: 2, file: vacf.csv }',
  ],
  ['write_dcd', 'delete_particles', goes, 'write_dcd: { file: a.dcd }'],
])('%s beside %s in a loop is warned of', (name, change, drift, dump) => {
  const warnings = warningsOf(drift, dump);
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(
      new RegExp(`^${name} needs the same number of particles .* when ${change} has changed it`),
    ),
  ]);
  expect(warnings[0]!.location).toMatchObject({ file: 'in.yaml', line: 10 });
});

it('a group that stays, and particles that are deleted before the run, are not', () => {
  expect(warningsOf(goes, msd(', group: stays'))).toEqual([]);
  expect(warningsOf('remove_momentum', msd())).toEqual([]);
});
