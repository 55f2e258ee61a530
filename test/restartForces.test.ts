import { readFileSync } from 'node:fs';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from './support/runCli.js';

const work = new Workplace();
afterAll(() => work.remove());

const CASES = {
  pair_force: '{ pairs: [{ use: lennard_jones, epsilon: 1, sigma: 1, rcut: 2.5 }] }',
  dpd_force: '{ A: 25, gamma: 4.5, rcut: 1.5, temperature: 1 }',
};

it.each(Object.entries(CASES))(
  'what stands after a checkpoint has the virials of %s when a run goes on',
  async (name, slots) => {
    const text = meltYaml({
      configuration: '{ units: lj, seed: 5, deterministic: true }',
      global: '{ dt: 0.004, rcut_inc: 0.3, end_iteration: 12 }',
      compute_force: `\n  - ${name}: ${slots}\n  - gravity: { acceleration: [0, 0, -0.1] }`,
      dump_data: `
  - checkpoint: { frequency: 6, keep: 9 }
  - heat_flux_autocorrelation: { every: 1, lags: 3, file: flux.csv }`,
    });
    const run = (folder: string, ...more: string[]) =>
      runCli(['run', work.path(name), '--backend', 'cpu', '--output', work.path(folder), ...more]);
    work.write({ [name]: text });
    expect(await run(`${name}-whole`)).toMatchObject({ code: 0, err: '' });
    const from = ['--restart', work.path(`${name}-whole/checkpoint.6.ckpt`)];
    expect(await run(`${name}-again`, ...from)).toMatchObject({ code: 0 });
    const fluxOf = (folder: string) => readFileSync(work.path(`${folder}/flux.csv`), 'utf8');
    expect(fluxOf(`${name}-again`)).toBe(fluxOf(`${name}-whole`));
  },
);
