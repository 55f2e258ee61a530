import { readFileSync } from 'node:fs';
import { readExtendedXyz } from '@corpuscle/operators';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

async function run(setup: string, force: string, steps: number, scheme: string, backend: string) {
  work.write({
    'gas.data': readFileSync(new URL('./data/analyses/gas.data', import.meta.url), 'utf8'),
    'run.yaml': `
configuration: { units: lj, seed: 11 }
global: { dt: 0.01, rcut_inc: 0.5, end_iteration: ${steps}, thermo_frequency: ${steps} }
particle_types: { A: { mass: 2.0 } }
setup_system: [${setup}]
compute_force: [${force}]
numerical_scheme: { brownian: ${scheme} }
dump_data:
  - mean_square_displacement: { every: ${steps}, file: msd.csv }
  - write_extended_xyz: { file: all.xyz, fields: [pos, forces, id], frequency: ${steps} }
simulation: molecular_dynamics
`,
  });
  const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1'];
  const result = await runCli([...argv, '--backend', backend]);
  expect(result.code, result.err).toBe(0);
  return readFileSync(work.path('msd.csv'), 'utf8')
    .trim()
    .split('\n')
    .at(-1)!
    .split(',')
    .map(Number);
}

const crystal = 'lattice: { structure: fcc, density: 0.9, repeat: [5, 5, 5], types: [A] }';

describe.each(['cpu', 'webgpu'])('brownian on %s', (backend) => {
  it('lets free particles diffuse with kT/(m γ)', async () => {
    const steps = backend === 'cpu' ? 50 : 5;
    const [, time, msd] = await run(
      crystal,
      'morse_force: { D: 0, alpha: 1, r0: 1, rcut: 1 }',
      steps,
      '{ temperature: 1.5, friction: 3.0 }',
      backend,
    );
    // Noise shared by two steps: half of the first and half of the last are missing.
    const exact = 6 * (1.5 / (2 * 3)) * time! * (1 - 1 / (2 * steps));
    // 1500 squares of normal numbers: five standard errors are 0.18.
    expect(Math.abs(msd! / exact - 1)).toBeLessThan(5 * Math.sqrt(2 / 1500));
  });
});

it('brownian follows the forces at zero temperature', async () => {
  const [, , msd] = await run(
    'read_lammps_data: { file: gas.data }',
    'lennard_jones_force: { epsilon: 1, sigma: 1, rcut: 2.2 }',
    1,
    '{ temperature: 0, friction: 4.0 }',
    'cpu',
  );
  const frame = readExtendedXyz(work.path('all.xyz'), { keep: ['forces'] });
  const forces = [...frame.extra.values()].map(({ values }) => values)[0] as Float64Array;
  const square = forces.reduce((sum, f) => sum + ((0.01 / (1 * 4)) * f) ** 2, 0) / frame.count;
  expect(Math.abs(msd! - square)).toBeLessThan(1e-12 * Math.max(1, square));
});
