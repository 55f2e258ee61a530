import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { itLong, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

/*
 * Each fault again and again: races show in some of many runs only. One of some in the tests, 8 of each in the long form, 20 in test:soak,
 * where there are 25 second runs into one folder.
 */

const work = new Workplace();
afterAll(() => work.remove());

const REPEATS = Number(process.env.CORPUSCLE_REPEATS ?? runs(1, 4));
const TIMEOUT = 60_000 * REPEATS;
const endless = meltYaml({
  global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 10 }',
  dump_data: '\n  - write_extended_xyz: { file: frames.xyz, frequency: 20, fields: [pos, id] }',
  simulation_epilog: '\n  - write_extended_xyz: { file: last.xyz, fields: [pos, velo, id] }',
});
work.write({ 'run.yaml': endless, 'package.json': '{}' });

const argv = (output: string, ...more: string[]) => [
  ...['run', 'run.yaml', '--backend', 'cpu', '--threads', '1', '--output', output],
  ...more,
];
const read = (name: string) => readFileSync(work.path(name), 'utf8');
const has = (program: string, ...args: string[]) => spawnSync(program, args).status === 0;

/** Table, frames and the last configuration are complete, and of the same last step. */
function expectWholeRun(output: string): void {
  const rows = read(`${output}/thermo.csv`).trimEnd().split('\n');
  for (const row of rows) expect(row.split(',')).toHaveLength(13);
  for (const name of ['frames.xyz', 'last.xyz']) {
    const lines = read(`${output}/${name}`).split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.length % 258).toBe(0);
  }
  const step = / step=(\d+)/.exec(read(`${output}/last.xyz`))![1];
  expect(rows.at(-1)!.split(',')[0]).toBe(step);
}

/** Does something many times, each in a folder of its own. */
async function repeated(name: string, once: (output: string) => Promise<void>, count = REPEATS) {
  for (let k = 0; k < count; k++) await once(`${name}-${k}`);
}

// pnpm sends a SIGTERM of its own 1 to 2 ms after the SIGINT of the terminal.
const pnpm = process.env.npm_execpath?.includes('pnpm')
  ? `"${process.execPath}" "${process.env.npm_execpath}"`
  : 'pnpm';
/** Without what the pnpm that runs the tests tells those that it starts. */
const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|pnpm_|init_cwd)/i.test(name)),
);
const hasPnpm = has('bash', '-c', `${pnpm} --version`);
it(
  'one Ctrl-C under pnpm exec ends a run in order',
  () =>
    repeated('pnpm', async (output) => {
      const shell = hasPnpm ? `exec ${pnpm} exec "$@"` : 'exec "$@"';
      const run = startCli(argv(output), { cwd: work.root, shell, env, detached: true });
      await run.printed(/\n +50 /);
      process.kill(-run.child.pid!, 'SIGINT'); // the whole group, as a terminal does
      if (!hasPnpm) setTimeout(() => run.child.kill('SIGTERM'), 1);
      const { err } = await run.ended;
      expect(err).toMatch(/interrupted: finishing the step and closing files/);
      expectWholeRun(output);
    }),
  TIMEOUT,
);

it(
  'a SIGHUP under nohup changes nothing',
  () =>
    repeated('nohup', async (output) => {
      const run = startCli(argv(output), { cwd: work.root, shell: 'nohup "$@"' });
      await run.printed(/\n +50 /);
      run.child.kill('SIGHUP');
      const before = run.out().length;
      for (let k = 0; k < 100 && run.out().length === before; k++) await sleep(20);
      expect(run.out().length).toBeGreaterThan(before);
      run.child.kill('SIGTERM');
      expect((await run.ended).code).toBe(130);
      expectWholeRun(output);
    }),
  TIMEOUT,
);

(has('script', '--version') ? itLong : it.skip)(
  'a terminal that vanishes ends a run in order',
  () =>
    repeated('terminal', async (output) => {
      // `script` is the terminal: its end hangs up.
      const shell = 'exec script -qec "$(printf "%q " "$@")" /dev/null';
      const run = startCli(argv(output), { cwd: work.root, shell });
      await run.printed(/[\nK] +50 /); // on a terminal a row may follow a line of progress, which ESC [K clears
      run.child.kill('SIGKILL');
      for (let k = 0; k < 500 && !work.files().includes(`${output}/last.xyz`); k++) await sleep(20);
      for (let k = 0; k < 500 && work.files().includes(`${output}/.corpuscle.lock`); k++)
        await sleep(20);
      expectWholeRun(output);
    }),
  TIMEOUT,
);

// Once: signals.test.ts.
itLong(
  'a full device for what is shown changes nothing',
  () =>
    repeated('full', async (output) => {
      const full = openSync('/dev/full', 'w');
      const short = argv(output, '--set', 'global.end_iteration=60');
      const run = startCli(short, { cwd: work.root, stdio: ['ignore', full, full] });
      const { code } = await run.ended;
      closeSync(full);
      expect(code).toBe(0);
      expectWholeRun(output);
    }),
  TIMEOUT,
);

// In a name space of its own a run has process id 1, as in a container, each time.
const inside = ['-Urpf', '--kill-child', '--mount-proc'];
(has('unshare', ...inside, 'true') ? itLong : it.skip)(
  'a run that was killed is followed by one with the same process id',
  () =>
    repeated('container', async (output) => {
      const shell = `exec unshare ${inside.join(' ')} "$@"`;
      const first = startCli(argv(output), { cwd: work.root, shell });
      await first.printed(/\n +50 /);
      first.child.kill('SIGKILL');
      await first.ended;
      expect(JSON.parse(read(`${output}/.corpuscle.lock`))).toMatchObject({ pid: 1 });
      const short = argv(output, '--set', 'global.end_iteration=60');
      const { code, err } = await startCli(short, { cwd: work.root, shell }).ended;
      expect(code, err).toBe(0);
      expectWholeRun(output);
      expect(work.files()).toContain(`${output}/#thermo.csv.1#`);
    }),
  TIMEOUT,
);

it(
  'second runs into a folder are refused, and the first goes on',
  async () => {
    const first = startCli(argv('folder'), { cwd: work.root });
    await first.printed(/\n +50 /);
    for (let k = 0; k < Math.floor(1.25 * REPEATS); k++) {
      const { code, err } = await startCli(argv('folder'), { cwd: work.root }).ended;
      expect(code).toBe(1);
      expect(err).toMatch(/folder is being written by a run, process \d+ on/);
    }
    first.child.kill('SIGINT');
    expect((await first.ended).code).toBe(130);
    expectWholeRun('folder');
  },
  TIMEOUT,
);
