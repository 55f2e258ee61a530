// Thermostats and barostats of particles that have no degrees of freedom.

import type { CorpuscleError } from '@corpuscle/core';
import { bussi, lattice, lennardJonesForce, molecularDynamics } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, expect, it } from 'vitest';
import { gridOf } from './support/particlesOf.js';
import { runText } from './support/runText.js';

const ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
afterAll(() => ctx.close());

/** A run of particles in a simple cubic lattice. */
const run = (repeat: string, scheme: string, rest = '', setup = '') =>
  runText(
    `
configuration: { units: lj, seed: 7 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 4, thermo_frequency: 1 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: sc, lattice_constant: 4, repeat: ${repeat}, types: [A] }
  - set: { fields: { vx: 1 } }
${setup}
compute_force:
  - lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 1.5 }
numerical_scheme: [{ ${scheme} }]
${rest}
simulation: molecular_dynamics
`,
    ctx,
  );

it.each([
  'nose_hoover: { temperature: 1, tau: 0.1 }',
  'bussi: { temperature: 1, tau: 0.1 }',
  'berendsen: { temperature: 1, tau: 0.1 }',
  'rescale: { temperature: 1 }',
  'nose_hoover: { temperature: 1, tau: 0.1, pressure: 1, tau_pressure: 1 }',
  'nose_hoover: { pressure: 1, tau_pressure: 1 }',
  'berendsen: { pressure: 1, tau_pressure: 1 }',
])('one particle whose momentum is kept is refused, with the place: %s', async (scheme) => {
  const error: CorpuscleError = await run('[1, 1, 1]', scheme).catch((thrown) => thrown);
  expect(error.code).toBe('INVALID_VALUE');
  const name = scheme.split(':')[0];
  expect(error.message).toContain(
    `${name} has no temperature to go by: 1 particle has none of 3N − 3 degrees of freedom; leave`,
  );
  expect([error.location?.line, error.location?.column]).toEqual([11, 22]);
});

it('two particles that keep momentum and angular momentum have one degree of freedom, as all on a line', async () => {
  const frame = `2
Lattice="9 0 0 0 9 0 0 0 9" pbc="F F F" Properties=species:S:1:pos:R:3:velo:R:3
A 2 2 2 1 1 0\nA 5 2 2 -1 -1 0
`;
  const text = `
configuration: { units: lj }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 4, thermo_frequency: 1 }
particle_types: { A: { mass: 1 } }
setup_system: [read_extended_xyz: { file: start.xyz }]
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.5 }]
numerical_scheme: [bussi: { temperature: 1, tau: 0.1 }]
dump_data: [remove_momentum: { angular: true }]
simulation: molecular_dynamics
`;
  const { table } = await runText(text, ctx, { files: { 'start.xyz': frame } });
  const { temperature, kinetic_energy: kinetic } = table;
  // K = kT/2, once the rotation is gone.
  expect(kinetic![4]).toBeGreaterThan(0.1);
  temperature!.forEach((value, k) => {
    expect(value).toBeCloseTo(2 * kinetic![k]!, 12);
  });
});

it('one particle is refused without YAML', async () => {
  const grid = gridOf(lattice({ structure: 'sc', density: 0.01, repeat: [1, 1, 1] }), ctx);
  const force = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 1.5 });
  const thermostats = [bussi.with({ temperature: 1, tau: 0.1 })];
  const running = molecularDynamics(grid, ctx, {
    forces: [force],
    dt: 0.005,
    steps: 1,
    thermostats,
  });
  await expect(running).rejects.toThrow('bussi has no temperature to go by');
});

it('one particle has a temperature where noise changes its momentum', async () => {
  const { table } = await run('[1, 1, 1]', 'langevin: { temperature: 1, friction: 1 }');
  expect(table.temperature!.every(Number.isFinite)).toBe(true);
});

it.each([
  'nose_hoover: { temperature: 1, tau: 0.1, group: none }',
  'bussi: { temperature: 1, tau: 0.1, group: none }',
  'berendsen: { temperature: 1, tau: 0.1, group: none }',
  'rescale: { temperature: 1, group: none }',
])('an empty group is left alone: %s', async (scheme) => {
  const none = '  - group: { name: none, ids: [99] }';
  // Links of a chain beyond the first move by themselves, and conserve to second order in the time step.
  const { table } = await run('[3, 3, 3]', scheme, 'thermo: { conserved: true }', none);
  for (const name of ['total_energy', 'conserved_quantity'])
    for (const value of table[name]!) expect(value).toBeCloseTo(13.5, 4);
});
