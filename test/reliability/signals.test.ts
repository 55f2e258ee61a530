import { closeSync, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { meltYaml, Workplace } from '../support/runCli.js';
import { itLong, itOnce, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';

const work = new Workplace();
afterEach(() => work.clear());
afterAll(() => work.remove());

/** A run without end, with a table, a trajectory and a last configuration. */
const endless = meltYaml({
  global: '{ dt: 0.001, end_iteration: 100000000, thermo_frequency: 10 }',
  dump_data: '\n  - write_extended_xyz: { file: frames.xyz, frequency: 20, fields: [pos, id] }',
  simulation_epilog: '\n  - write_extended_xyz: { file: last.xyz, fields: [pos, velo, id] }',
});
const argv = ['run', 'run.yaml', '--backend', 'cpu', '--threads', '1'];

function start(options: Parameters<typeof startCli>[1] = {}) {
  work.write({ 'run.yaml': endless });
  return startCli(argv, { cwd: work.root, ...options });
}

const complete = ['frames.xyz', 'last.xyz', 'run.yaml', 'thermo.csv'];
const read = (name: string) => readFileSync(work.path(name), 'utf8');

/** Frames of 256 particles, each with its two lines of head. */
function expectWholeFrames(name: string): void {
  const lines = read(name).split('\n');
  expect(lines.pop()).toBe('');
  expect(lines.length % 258).toBe(0);
  for (let k = 0; k < lines.length; k += 258) expect(lines[k]).toBe('256');
}

/** A run that was ended in order has a row for its last step, whole frames, and its epilog. */
function expectWholeRun(): void {
  expect(work.files()).toEqual(complete);
  expect(read('thermo.csv')).toMatch(/^step,.*\n0,[\s\S]*\n$/);
  expectWholeFrames('frames.xyz');
  expectWholeFrames('last.xyz');
  const step = / step=(\d+)/.exec(read('last.xyz'))![1];
  expect(read('thermo.csv').trimEnd().split('\n').at(-1)!.split(',')[0]).toBe(step);
}

describe('a signal', () => {
  // Under nohup, and under pnpm: repeats.test.ts.
  it.each(runs(['SIGTERM'], ['SIGINT', 'SIGHUP']) as NodeJS.Signals[])(
    '%s finishes the step, writes what is due and the epilog: exit code 130',
    async (signal) => {
      const run = start();
      await run.printed(/\n +50 /);
      run.child.kill(signal);
      const { code, err } = await run.ended;
      expect({ code, err }).toEqual({
        code: 130,
        err: 'interrupted: finishing the step and closing files\n',
      });
      expectWholeRun();
    },
  );

  it('and another at once, as pnpm sends them, are one', async () => {
    for (const k of runs([1], [0, 1, 2])) {
      const run = start();
      await run.printed(/\n +50 /);
      run.child.kill('SIGINT');
      await sleep(k);
      run.child.kill('SIGTERM');
      const { code, err } = await run.ended;
      expect(code, err).toBe(130);
      expectWholeRun();
      work.clear();
    }
  });

  itOnce('and another after more than a second end at once, and keep every file', async () => {
    work.write({
      'run.yaml': endless,
      // An operator that does not come to an end, so that only the second signal ends the run.
      'wait.mjs': `export const wait = { name: 'wait', doc: 'Waits.', slots: {},
        execute: () => new Promise((resolve) => setTimeout(resolve, 60_000)) };`,
    });
    const waits = [...argv, '--import', 'wait.mjs', '--set', '+simulation_epilog=[wait]'];
    const run = startCli(waits, { cwd: work.root });
    await run.printed(/\n +50 /);
    run.child.kill('SIGINT');
    await sleep(1200);
    run.child.kill('SIGINT');
    const { code, err } = await run.ended;
    expect(code, err).toBe(130);
    expect(work.files()).toEqual(['frames.xyz', 'last.xyz', 'run.yaml', 'thermo.csv', 'wait.mjs']);
    expectWholeFrames('frames.xyz');
    expectWholeFrames('last.xyz');
    expect(read('thermo.csv').endsWith('\n')).toBe(true);
  });
});

describe('what is shown', () => {
  const short = ['run', 'run.yaml', '--backend', 'cpu', '--set', 'global.end_iteration=300'];

  it.each(runs(['stdout'], ['stderr']))('may go to a full device: %s', async (name) => {
    work.write({ 'run.yaml': endless });
    const full = openSync('/dev/full', 'w');
    const stdio = ['ignore', name === 'stdout' ? full : 'pipe', name === 'stderr' ? full : 'pipe'];
    const run = startCli(short, { cwd: work.root, stdio: stdio as never });
    const { code, err } = await run.ended;
    closeSync(full);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expectWholeRun();
  });

  itOnce('may not go to a full device where it is the result', async () => {
    const full = openSync('/dev/full', 'w');
    const schema = startCli(['schema'], { stdio: ['ignore', full, 'pipe'] });
    const { code, err } = await schema.ended;
    closeSync(full);
    expect({ code, err }).toEqual({
      code: 1,
      err: 'corpuscle: what is printed is not complete: the disk is full\n',
    });
  });

  // One whose reader ends during the run: cliSpawn.test.ts.
  itLong('may go to a pipe whose reader has ended', async () => {
    work.write({ 'run.yaml': endless });
    const run = startCli(short, { cwd: work.root });
    run.child.stdout!.destroy();
    run.child.stderr!.destroy();
    expect((await run.ended).code).toBe(0);
    expectWholeRun();
  });
});
