import { existsSync } from 'node:fs';
import { afterAll, beforeEach, expect, it } from 'vitest';
import { meltYaml, runCli, Workplace } from '../../../../test/support/runCli.js';

const work = new Workplace();
beforeEach(() => work.clear());
afterAll(() => work.remove());

const run = (parts: Readonly<Record<string, string | null>>) => {
  work.write({ 'run.yaml': meltYaml({ configuration: '{ units: lj, backend: cpu }', ...parts }) });
  return runCli(['run', work.path('run.yaml'), '--output', work.path('out')]);
};
const DELETE = '{ delete_particles: { region: { box: { x: [-50, 50] } }, every: 1, from: 7 } }';

it('a mistake of the input that a run meets at step 7 is a failure of the run', async () => {
  const { code, err } = await run({ dump_data: `[${DELETE}]` });
  expect(err).toMatch(/all particles would be deleted/);
  expect(existsSync(work.path('out/failed.xyz'))).toBe(true);
  expect(code).toBe(1);
});

it('the same mistake before anything is written is one of the input', async () => {
  const setup = '[{ lattice: { structure: fcc, density: 0.8, repeat: [4, 4, 4], types: [A] } }';
  const { code, err } = await run({
    setup_system: `${setup}, { delete_particles: { region: { box: { x: [-50, 50] } } } }]`,
  });
  expect(err).toMatch(/all particles would be deleted/);
  expect(existsSync(work.path('out/failed.xyz'))).toBe(false);
  expect(code).toBe(2);
});
