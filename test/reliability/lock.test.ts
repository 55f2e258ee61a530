import { afterAll, afterEach, expect } from 'vitest';
import { meltYaml, runCli, Workplace } from '../support/runCli.js';
import { itLong, itOnce } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', 'out'];
const endless = meltYaml({
  global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 10 }',
});

// repeats.test.ts has the first in `test`.
itLong('a second run into a folder is refused, and the first goes on', async () => {
  work.write({ 'run.yaml': endless });
  const first = startCli(argv, { cwd: work.root });
  await first.printed(/\n +50 /);
  const second = await startCli(argv, { cwd: work.root }).ended;
  expect(second.code).toBe(1);
  expect(second.err).toMatch(
    /^corpuscle: \S*out is being written by a run, process \d+ on \S+: choose another folder with --output, or [^\n]*\n$/,
  );
  first.child.kill('SIGINT');
  expect(await first.ended).toMatchObject({ code: 130 });
  expect(work.files()).toEqual(['out/thermo.csv', 'run.yaml']);
});

itOnce('the lock of a run that was killed is taken over', async () => {
  work.write({ 'run.yaml': endless });
  const first = startCli(argv, { cwd: work.root });
  await first.printed(/\n +50 /);
  first.child.kill('SIGKILL');
  await first.ended;
  expect(work.files()).toContain('out/.corpuscle.lock');
  const yaml = work.path('run.yaml');
  const again = ['run', yaml, '--output', work.path('out'), '--set', 'global.end_iteration=10'];
  const second = await runCli([...again, '--backend', 'cpu']);
  expect(second.code, second.err).toBe(0);
  expect(work.files()).toEqual(['out/#thermo.csv.1#', 'out/thermo.csv', 'run.yaml']);
});
