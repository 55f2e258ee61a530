import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const yaml = (scheme: string, frequency: number) => `
configuration: { units: lj, seed: 176, deterministic: true, backend: cpu, threads: 2 }
global: { dt: 0.004, rcut_inc: 0.5, end_iteration: 40, thermo_frequency: 5 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.9, repeat: [4, 4, 4] }
  - init_temperature: { temperature: 1.44 }
compute_force: [lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.2 }]
numerical_scheme: [${scheme}]
dump_data:
  - checkpoint: { frequency: ${frequency} }
  - write_extended_xyz: { file: a.xyz, every: 10 }
simulation: molecular_dynamics
`;

it.each([
  'velocity_verlet, berendsen: { temperature: 1.2, tau: 0.5, pressure: 1, tau_pressure: 2 }',
  'velocity_verlet, berendsen: { pressure: 1, tau_pressure: 2, coupling: aniso }',
  'velocity_verlet, bussi: { temperature: 1.2, tau: 0.5 }, cell_rescale: { temperature: 1.2, pressure: 1, tau: 2 }',
  'nose_hoover: { temperature: 1.2, tau: 0.5, pressure: 1, tau_pressure: 2 }',
  'velocity_verlet, deform: { rate: { xx: 0.1, xy: 0.3 } }',
])('a checkpoint changes no bit of a deterministic run on the CPU: %s', async (scheme) => {
  const files = async (frequency: number) => {
    work.write({ 'in.yaml': yaml(scheme, frequency) });
    const argv = ['run', work.path('in.yaml'), '--output', work.root, '--overwrite', '--quiet'];
    const { code, err } = await runCli(argv);
    expect(code, err).toBe(0);
    return ['thermo.csv', 'a.xyz'].map((name) => readFileSync(work.path(name), 'utf8'));
  };
  expect(await files(7)).toEqual(await files(1000));
});
