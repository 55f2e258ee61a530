import { readFileSync } from 'node:fs';
import { Domain } from '@corpuscle/core';
import { readExtendedXyz } from '@corpuscle/operators';
import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const data = (name: string) =>
  readFileSync(new URL(`./data/analyses/${name}`, import.meta.url), 'utf8');

it("velocity_verlet_limit is LAMMPS' nve/limit for 100 steps", async () => {
  const reference: { energies: number[][]; positions: number[][] } = JSON.parse(data('limit.json'));
  work.write({
    'gas.data': data('gas.data'),
    'run.yaml': `
configuration: { units: lj, seed: 1 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 100, thermo_frequency: 20 }
particle_types: { A: { mass: 1.0 } }
setup_system: [read_lammps_data: { file: gas.data }]
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.2 }]
numerical_scheme: { velocity_verlet_limit: { limit: 0.01 } }
simulation_epilog: [write_extended_xyz: { file: last.xyz, fields: [pos, id] }]
simulation: molecular_dynamics
`,
  });
  const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1'];
  const result = await runCli([...argv, '--backend', 'cpu']);
  expect(result.code, result.err).toBe(0);
  const rows = readFileSync(work.path('thermo.csv'), 'utf8').trim().split('\n').slice(1);
  reference.energies.forEach(([step, potential], k) => {
    const [at, , , found] = rows[k]!.split(',').map(Number);
    expect(at).toBe(step);
    expect(Math.abs(found! / potential! - 1)).toBeLessThan(1e-10);
  });
  const { position, lattice } = readExtendedXyz(work.path('last.xyz'));
  const domain = Domain.triclinic(lattice!);
  reference.positions.forEach((r, k) => {
    const [x, y, z] = r.map((value, axis) => position[3 * k + axis]! - value);
    expect(Math.hypot(...domain.minimumImage(x!, y!, z!))).toBeLessThan(1e-9);
  });
});
