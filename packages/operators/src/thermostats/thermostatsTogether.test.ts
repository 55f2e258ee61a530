import { loadSimulation } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createRegistry } from '../createRegistry.js';

const warningsOf = (scheme: string, run = 'molecular_dynamics', rest = '') => {
  const text = `
global: { dt: 0.005, end_iteration: 10 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] }
  - group: { name: low, region: { plane: { point: [0, 0, 2], normal: [0, 0, -1] } } }
  - group: { name: rest, subtract: [all, low] }
compute_force: { lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 } }
numerical_scheme: [${scheme}]
simulation: ${run}
${rest}`;
  return loadSimulation([{ name: 'in.yaml', text }], { operators: createRegistry() }).warnings;
};
const langevin = (more = '') => `langevin: { temperature: 1, friction: 1${more} }`;
const bussi = (more = '') => `bussi: { temperature: 1, tau: 0.1${more} }`;
const chain = 'nose_hoover: { temperature: 1, tau: 0.1, pressure: 1, tau_pressure: 1 }';
const weak = 'berendsen: { temperature: 1, tau: 0.1, pressure: 1, tau_pressure: 1 }';

it.each([
  ['langevin and bussi', `${langevin()}, ${bussi()}`],
  ['langevin and bussi', `${langevin()}, ${bussi(', group: low')}`],
  ['langevin and bussi', `${langevin(', group: low')}, ${bussi(', group: low')}`],
  ['nose_hoover and bussi', `${bussi()}, ${chain}`],
  ['bussi and berendsen', `${bussi()}, ${weak}`],
])('%s on the same particles are told once, with a place: %s', (names, scheme) => {
  const warnings = warningsOf(scheme);
  expect(warnings.map(({ message }) => message)).toEqual([
    expect.stringMatching(new RegExp(`^${names} both keep the temperature of the same particles`)),
  ]);
  expect(warnings[0]!.location).toMatchObject({ file: 'in.yaml', line: 9 });
});

it.each([
  `${langevin(', group: low')}, ${bussi(', group: rest')}`,
  `nose_hoover: { pressure: 1, tau_pressure: 1 }, ${bussi()}`,
  `${bussi()}, berendsen: { pressure: 1, tau_pressure: 1 }`,
  `${bussi()}, cell_rescale: { pressure: 1, temperature: 1, tau: 1 }`,
])('each for itself, or beside a pressure without temperature, they are not: %s', (scheme) => {
  expect(warningsOf(scheme)).toEqual([]);
});

it('stages with a thermostat each are not told', () => {
  const run = (scheme: string) => `run: { steps: 5, numerical_scheme: [${scheme}] }`;
  const stages = `[setup_system, { loop: 2, body: [${run(langevin())}, ${run(bussi())}] }]`;
  expect(warningsOf('velocity_verlet', stages).map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the batch 'numerical_scheme' does not run/),
  ]);
});
