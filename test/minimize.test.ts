import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const yaml = (simulation: string) => `
configuration: { units: lj, seed: 5 }
global: { dt: 0.005, rcut_inc: 0.3, end_iteration: 20, thermo_frequency: 10 }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 1.0, repeat: [4, 4, 4], types: [A] }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.5 }]
simulation:
${simulation}
`;

async function run(simulation: string) {
  work.write({ 'run.yaml': yaml(simulation) });
  const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1'];
  return runCli(argv);
}
const table = (name: string) =>
  readFileSync(work.path(name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').map(Number));

describe('minimize', () => {
  it('relaxes particles and box, and again after a run', async () => {
    const result = await run(`
  - setup_system
  - minimize: { style: fire, force_tolerance: 1e-9, max_displacement: 0.05, pressure: 0, file: first.csv }
  - init_temperature: { temperature: 0.4 }
  - run: { steps: 20 }
  - minimize: { force_tolerance: 1e-9, pressure: 0, coupling: aniso, file: second.csv }
  - write_extended_xyz: { file: last.xyz, fields: [pos, forces, id] }`);
    expect(result.code, result.err).toBe(0);
    const told = [
      ...result.out.matchAll(/minimize: energy (\S+) after (\d+) steps and (\d+) evaluations/g),
    ];
    expect(told).toHaveLength(2);
    const [first, second] = told.map((match) => match.slice(1).map(Number));
    // Both are the perfect crystal at zero pressure.
    expect(Math.abs(first![0]! / second![0]! - 1)).toBeLessThan(1e-9);
    expect(table('second.csv')).toHaveLength(second![2]!);
    expect(table('second.csv').at(-1)!.slice(1, 3)).toEqual([second![1], second![0]]);
    const lines = readFileSync(work.path('last.xyz'), 'utf8').trim().split('\n').slice(2);
    for (const line of lines)
      for (const f of line.split(/\s+/).slice(4, 7)) expect(Math.abs(Number(f))).toBeLessThan(1e-9);
  });

  it('says that it has not converged, and what it needs', async () => {
    const few = await run(`
  - setup_system
  - init_temperature: { temperature: 1 }
  - run: { steps: 10 }
  - minimize: { style: sd, force_tolerance: 1e-9, max_steps: 2 }`);
    expect(few.code, few.err).toBe(0);
    expect(few.out).toMatch(/after 2 steps .* it has not converged/);
    const none = await run('\n  - setup_system\n  - minimize: { style: cg }');
    expect(none.code).toBe(2);
    expect(none.err).toContain('needs force_tolerance, or energy_tolerance');
    const alone = await run(`
  - setup_system
  - minimize: { force_tolerance: 1e-9, coupling: aniso }`);
    expect(alone.code).toBe(2);
    expect(alone.err).toContain('minimize has coupling and no pressure: give one');
  });
});
