import { afterAll, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** A box that shrinks to a hundredth, below what lists of a cutoff of 1.2 may have: 15 boxes. */
const yaml = `
configuration: { units: lj, seed: 1 }
global: { dt: 0.002, rcut_inc: 0.3, end_iteration: 60, thermo_frequency: 20 }
particle_types: { A: { mass: 1 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [4, 2, 2] }
  - init_temperature: { temperature: 1.0 }
compute_force: [soft_force: { A: 1, rcut: 1.2 }]
numerical_scheme: [velocity_verlet, deform: { wiggle: { amplitude: { xx: -0.99 }, period: 0.4 } }]
simulation: molecular_dynamics
`;

it.each(['cpu', 'webgpu'])(
  'a box that deforms to less than lists allow ends a run in one sentence, on %s',
  async (backend) => {
    work.write({ 'in.yaml': yaml });
    const argv = ['run', work.path('in.yaml'), '--output', work.root, '--overwrite'];
    const { code, err } = await runCli([...argv, '--threads', '1', '--backend', backend]);
    expect(err).toMatch(
      /in\.yaml:9:\d+: rcut 1\.2 is more than 15 times the box, which is 0\.07\d+ along x: repeat the box or lower rcut; the last good state known, of step 0, is in failed\.xyz/,
    );
    expect(code).toBe(1);
  },
);
