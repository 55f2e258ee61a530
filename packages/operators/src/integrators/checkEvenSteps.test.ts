import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';

const load = (rest: string, scheme = 'velocity_verlet_adaptive: { max_displacement: 0.1 }') => {
  const text = `
configuration: { units: lj }
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system: [lattice: { structure: sc, density: 1, repeat: [4, 4, 4], types: [A] }]
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2 } }
simulation: molecular_dynamics
numerical_scheme: [${scheme}]
${rest}`;
  return loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() });
};
const surface = 'plane: { point: [0, 0, 0], normal: [0, 0, 1] }, velocity: [0, 0, 1]';
const fluctuations = 'temperature: 1, pressure: 1, tau: 1';
const dpd = 'types: [A, A], A: 1, gamma: 1, rcut: 1';

it.each([
  [
    'mean_square_displacement with several origins',
    '{ every: 1, lags: 2, origins: 2, file: a.csv }',
  ],
  [
    'velocity_autocorrelation with several origins',
    '{ every: 1, lags: 2, origins: 2, file: a.csv }',
  ],
  ['stress_autocorrelation', '{ every: 1, lags: 2, file: a.csv }'],
  ['heat_flux_autocorrelation', '{ every: 1, lags: 2, file: a.csv }'],
  ['cell_rescale', `{ ${fluctuations} }`],
  ['berendsen_box', '{ pressure: 1, tau_pressure: 1 }'],
  ['deform', '{ rate: { xy: 1 } }'],
  ['a wall that moves', `{ ${surface} }`, 'reflect'],
  ['a wall that moves', `{ ${surface}, form: harmonic, stiffness: 1, rcut: 1 }`, 'wall'],
  ['dpd_force', '{ A: 1, gamma: 1, rcut: 1, temperature: 1 }'],
  ['dpd of pair_force', `{ pairs: [{ use: dpd, ${dpd} }], temperature: 1 }`, 'pair_force'],
])('%s is refused beside time steps that an integrator chooses: %s', (what, slots, name = what) => {
  const batch = `after_drift: [${name.split(' ')[0]}: ${slots}]`;
  expect(() => load(batch)).toThrow(
    expect.objectContaining({
      code: 'INVALID_VALUE',
      message: `${what} needs to know the time, which an integrator with time steps of its own finds on the device: use velocity_verlet`,
      location: expect.objectContaining({ file: 'in.yaml', line: 9, column: 15 }),
    }),
  );
  expect(() => load(batch, 'velocity_verlet')).not.toThrow();
});

it.each([
  'dump_data: [mean_square_displacement: { every: 1, file: a.csv }]',
  'after_drift: [reflect: { plane: { point: [0, 0, 0], normal: [0, 0, 1] } }]',
  '+setup_system: [change_box: { strain: { xy: 0.1 } }]',
])('what needs no time steps of one length stands beside it: %s', (batch) => {
  expect(() => load(batch)).not.toThrow();
});
