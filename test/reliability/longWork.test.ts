import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterAll(() => work.remove());

/** Operators that keep the main thread for a minute, as reading a large file may: in the setup, or in step 20. */
work.write({
  'run.yaml': meltYaml({
    global: '{ dt: 0.005, rcut_inc: 0.3, end_iteration: 100, thermo_frequency: 1 }',
  }),
  'own.mjs': `
    import { writeSync } from 'node:fs';
    const work = () => { const begin = performance.now(); while (performance.now() - begin < 60_000); };
    export const long_setup = { name: 'long_setup', doc: 'Takes long.', slots: {},
      execute: () => { writeSync(1, 'it begins'); work(); } };
    export const long_step = { name: 'long_step', doc: 'Takes long.', slots: {},
      execute: ({ state }) => { if (state.step === 20) work(); } };`,
});

const start = (output: string, added: string) =>
  startCli(
    ['run', 'run.yaml', '--import', 'own.mjs', '--backend', 'cpu', '--output', output].concat(
      ...['--threads', '1', '--set', added],
    ),
    { cwd: work.root },
  );

it.concurrent.each(runs([], ['SIGINT'] as const))(
  'a signal ends work that sets a run up: %s',
  async (signal) => {
    const run = start('setup', '+setup_system=[long_setup]');
    await run.printed(/it begins/);
    const begin = performance.now();
    run.child.kill(signal);
    const { code, err } = await run.ended;
    expect(performance.now() - begin).toBeLessThan(8000); // 2 s on a quiet machine
    expect({ code, err }).toEqual({
      code: 130,
      err: 'interrupted while the run was set up: nothing has been computed\n',
    });
    expect(work.files().filter((name) => name.startsWith('setup/'))).toEqual([]);
  },
);

it.concurrent('a second signal ends work within a step, and files keep what was written', async () => {
  const run = start('step', '+dump_data=[long_step]');
  await run.printed(/\n +20 /);
  run.child.kill('SIGTERM');
  while (!run.err().includes('another Ctrl-C ends the run at once')) await sleep(20);
  const begin = performance.now();
  run.child.kill('SIGTERM');
  const { code, err } = await run.ended;
  expect(performance.now() - begin).toBeLessThan(4000); // 0.5 s on a quiet machine
  expect(code).toBe(130);
  expect(err).toMatch(/\ninterrupted within a step: files keep what was written\n$/);
  const rows = readFileSync(work.path('step/thermo.csv'), 'utf8').split('\n');
  expect(rows).toHaveLength(23); // header, steps 0 to 20, end of the last line
  expect(work.files()).not.toContain('step/.corpuscle.lock');
});
