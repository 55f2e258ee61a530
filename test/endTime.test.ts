import { readFileSync } from 'node:fs';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runCli, Workplace } from './support/runCli.js';
import { itOnce, runs } from './support/runs.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const yaml = (global: string, more = 'simulation: molecular_dynamics') => `
configuration: { units: lj, seed: 5, deterministic: true }
global: { dt: 0.005, rcut_inc: 0.3, thermo_frequency: 1, ${global} }
particle_types: { A: { mass: 1.0 } }
setup_system:
  - lattice: { structure: fcc, density: 0.8442, repeat: [3, 3, 3], types: [A] }
  - init_temperature: { temperature: 1.4 }
compute_force: [lennard_jones_force: { epsilon: 1.0, sigma: 1.0, rcut: 2.3 }]
${more}
`;

async function run(text: string, ...more: string[]) {
  work.write({ 'run.yaml': text });
  const argv = ['run', work.path('run.yaml'), '--output', work.root, '--threads', '1', ...more];
  return runCli(argv);
}

/** Step and time of each row. */
const rows = () =>
  readFileSync(work.path('thermo.csv'), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(',').slice(0, 2).map(Number) as [number, number]);

describe('a run to a time', () => {
  itOnce.each([
    ['end_time: 0.1', 20, 0.1],
    ['end_time: 0.0999', 20, 0.1],
    ['end_time: 0.101', 21, 0.105],
    ['end_time: 0.1, end_iteration: 7', 7, 0.035],
    ['end_time: 0', 0, 0],
  ])('ends with the step that reaches it: %s', async (global, step, time) => {
    const result = await run(yaml(global));
    expect(result.code, result.err).toBe(0);
    expect(rows().at(-1)![0]).toBe(step);
    expect(rows().at(-1)![1]).toBeCloseTo(time, 12);
  });

  itOnce('has stages that go on for a time', async () => {
    const stages = `
simulation:
  - setup_system
  - run: { duration: 0.02 }
  - run: { duration: 0.03, steps: 4 }
  - run`;
    const result = await run(yaml('end_time: 0.06', stages));
    expect(result.code, result.err).toBe(0);
    expect(rows().map(([step]) => step)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
  });

  itOnce('goes on from a checkpoint to the same end', async () => {
    const scheme = (more: string) => `
dump_data: [checkpoint: { every: 4, keep: 1 }]
numerical_scheme: { velocity_verlet_adaptive: { max_displacement: 0.006, max_dt: 0.004 } }
simulation: [setup_system, run: { duration: 0.04${more} }]`;
    const all = await run(yaml('temperature: 1', scheme('')));
    expect(all.code, all.err).toBe(0);
    const whole = rows();
    work.clear();
    expect((await run(yaml('temperature: 1', scheme(', steps: 8')))).code).toBe(0);
    const rest = await run(yaml('temperature: 1', scheme('')), '--restart');
    expect(rest.code, rest.err).toBe(0);
    expect(rows()).toEqual(whole);
  });

  it.each(runs(['cpu'], ['webgpu']))(
    'one step later where time steps are chosen, on %s',
    async (backend) => {
      const scheme = `
numerical_scheme: { velocity_verlet_adaptive: { max_displacement: 0.008, max_dt: 0.006 } }
simulation: molecular_dynamics`;
      const result = await run(yaml('end_time: 0.05', scheme), '--backend', backend);
      expect(result.code, result.err).toBe(0);
      const times = rows().map(([, time]) => time);
      expect(times.filter((time) => time >= 0.05)).toHaveLength(2);
      expect(times.length).toBeGreaterThan(11); // longer than steps of max_dt
    },
  );

  itOnce('must have an end', async () => {
    const result = await run(yaml('temperature: 1'));
    expect(result.code).toBe(2);
    expect(result.err).toContain('the run has no end: give end_iteration, or end_time');
  });
});
