import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const deform = '[velocity_verlet, { deform: { rate: { xy: 2, xx: 0.2 } } }]';
const CASES = [
  ['pair_force', '{ pairs: [{ use: lennard_jones, epsilon: 1, sigma: 1, rcut: 2.5 }] }', null],
  ['dpd_force', '{ A: 25, gamma: 4.5, rcut: 1.5, temperature: 1 }', null],
  ['lennard_jones_force', '{ epsilon: 1, sigma: 1, rcut: 2.5 }', deform],
] as const;

it('levels of respa whose particles have gone in the step of a checkpoint are computed again, as without it', async () => {
  const text = meltYaml({
    configuration: '{ units: lj, seed: 5, deterministic: true }',
    global: '{ dt: 0.004, rcut_inc: 0.3, end_iteration: 12, thermo_frequency: 4 }',
    compute_force: ' [near, far]',
    numerical_scheme: '{ respa: { levels: [{ forces: near, steps: 2 }, { forces: far }] } }',
    near: '[gravity: { acceleration: [0, 0, -0.1] }]',
    // Friction and noise of an evaluation depend on how many there were before.
    far: '[dpd_force: { A: 25, gamma: 4.5, rcut: 1.5, temperature: 1 }]',
    after_drift: '[delete_particles: { fraction: 0.05, every: 6, from: 6 }]',
    dump_data: '[checkpoint: { frequency: 6, keep: 9 }]',
  });
  const run = (folder: string, ...more: string[]) =>
    runCli([
      'run',
      work.path('levels'),
      '--backend',
      'cpu',
      '--output',
      work.path(folder),
      ...more,
    ]);
  work.write({ levels: text });
  expect(await run('levels-whole')).toMatchObject({ code: 0, err: '' });
  const from = ['--restart', work.path('levels-whole/checkpoint.6.ckpt')];
  expect(await run('levels-again', ...from)).toMatchObject({ code: 0 });
  const [whole, again] = ['levels-whole', 'levels-again'].map((folder) =>
    readFileSync(work.path(`${folder}/thermo.csv`), 'utf8')
      .trim()
      .split('\n')
      .slice(-2),
  );
  expect(again).toEqual(whole);
  expect(whole[0]).toMatch(/^8,/);
});

it.each(CASES)(
  'what stands after a checkpoint has the virials of %s when a run goes on, also where the box has changed since',
  async (name, slots, numerical_scheme) => {
    const text = meltYaml({
      configuration: '{ units: lj, seed: 5, deterministic: true }',
      global: '{ dt: 0.004, rcut_inc: 0.3, end_iteration: 12 }',
      compute_force: `\n  - ${name}: ${slots}\n  - gravity: { acceleration: [0, 0, -0.1] }`,
      dump_data: `
  - checkpoint: { frequency: 6, keep: 9 }
  - heat_flux_autocorrelation: { every: 1, lags: 3, file: flux.csv }
  - averages: { every: 2, file: averages.csv }`,
      numerical_scheme,
    });
    const run = (folder: string, ...more: string[]) =>
      runCli(['run', work.path(name), '--backend', 'cpu', '--output', work.path(folder), ...more]);
    work.write({ [name]: text });
    expect(await run(`${name}-whole`)).toMatchObject({ code: 0, err: '' });
    const from = ['--restart', work.path(`${name}-whole/checkpoint.6.ckpt`)];
    expect(await run(`${name}-again`, ...from)).toMatchObject({ code: 0 });
    const textOf = (folder: string, file: string) =>
      readFileSync(work.path(`${folder}/${file}`), 'utf8');
    for (const file of ['flux.csv', 'averages.csv'])
      expect(textOf(`${name}-again`, file)).toBe(textOf(`${name}-whole`, file));
  },
);
