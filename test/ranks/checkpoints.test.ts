import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, expect, it } from 'vitest';
import { WAITING } from '../support/mpirun.js';
import { itLong, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';
import { rankCases } from './support/rankCases.js';

const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-checkpoints-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const env = { ...process.env, ...WAITING, OMPI_MCA_rmaps_base_oversubscribe: '1' };
const file = join(folder, 'melt.yaml');
const dump = (frequency: number) =>
  `dump_data: [{ checkpoint: { frequency: ${frequency} } }, { write_extended_xyz: { file: frames.xyz, fields: [pos, velo, id, image], frequency: 20 } }, { write_dcd: { file: frames.dcd, frequency: 20 } }]\n`;
const melt = `${rankCases['a melt']!.text}${dump(20)}`;

function start(text: string, output: string, ranks: number, ...argv: readonly string[]) {
  writeFileSync(file, text);
  const on = ranks > 0 ? ['--ranks', `${ranks}`] : [];
  return startCli(['run', file, '--output', output, ...on, ...argv], { cwd: folder, env });
}

async function run(...given: Parameters<typeof start>) {
  const ended = await start(...given).ended;
  expect(ended.code, ended.err).toBe(0);
  return ended;
}

const upTo = (step: number) => ['--set', `global.end_iteration=${step}`] as const;
const textOf = (...path: readonly string[]) => readFileSync(join(folder, ...path), 'utf8');

/** All numbers of a table. */
const rowsOf = (table: string): number[] =>
  table
    .trim()
    .split(/[\n,]/)
    .slice(1)
    .map(Number)
    .filter((x) => !Number.isNaN(x));

/** Velocities, and positions as if there were no walls of the box: when particles are brought back depends on the ranks. */
function framesOf(text: string): number[] {
  const side = Number(/Lattice="(\S+)/.exec(text)![1]);
  const rows = text.split('\n').filter((line) => line.startsWith('A '));
  return rows.flatMap((row) => {
    const [x, y, z, vx, vy, vz, id, ...image] = row.split(/\s+/).slice(1).map(Number);
    return [...[x, y, z].map((one, k) => one! + side * image[k]!), vx!, vy!, vz!, id!];
  });
}

function expectNear(is: readonly number[], was: readonly number[], most: number): void {
  expect(is.length).toBeGreaterThan(20);
  expect(is).toHaveLength(was.length);
  const off = is.map((number, k) => Math.abs(number - was[k]!) / Math.max(1, Math.abs(was[k]!)));
  expect(Math.max(...off)).toBeLessThan(most);
}

it('a run goes on from a checkpoint on any number of ranks, with the rows and frames of one that was not ended', async () => {
  await run(melt, 'whole', 0, ...upTo(runs(60, 100)));
  await run(melt, 'parts', 3, ...upTo(20));
  for (const [ranks, step] of runs(
    [[2, 60]] as const,
    [
      [4, 40],
      [1, 60],
      [7, 80],
      [0, 100],
    ] as const,
  )) {
    const { err } = await run(melt, 'parts', ranks, '--restart', ...upTo(step));
    expect(err).toContain('going on from the checkpoint of step');
  }
  const table = (output: string) => rowsOf(textOf(output, 'thermo.csv'));
  expectNear(table('parts'), table('whole'), 1e-9);
  const frames = (output: string) => framesOf(textOf(output, 'frames.xyz'));
  expectNear(frames('parts'), frames('whole'), 1e-8);
  const sizes = ['whole', 'parts'].map(
    (name) => readFileSync(join(folder, name, 'frames.dcd')).length,
  );
  expect(sizes[0]).toBe(sizes[1]);
});

it('a biased coordination number of ids goes on from a checkpoint on ranks, none of which has all of them', async () => {
  const biased = `${rankCases['a few biased particles']!.text}dump_data: [{ checkpoint: { frequency: 20 } }]\n`;
  await run(biased, 'biased', 0, ...upTo(40));
  await run(biased, 'biased-parts', 0, ...upTo(20));
  await run(biased, 'biased-parts', 2, '--restart', ...upTo(40));
  for (const file of ['thermo.csv', 'biased.csv'])
    expect(rowsOf(textOf('biased-parts', file))).toHaveLength(
      rowsOf(textOf('biased', file)).length,
    );
  const table = (output: string) => rowsOf(textOf(output, 'thermo.csv'));
  expectNear(table('biased-parts'), table('biased'), 1e-9);
});

itLong('a box at a pressure goes on from a checkpoint on another number of ranks', async () => {
  const scheme = 'nose_hoover: { pressure: 9, tau_pressure: 0.3, coupling: triclinic }';
  const thermo = 'thermo: { box: true, conserved: true }';
  const pressed = `${melt.replace(/^thermo:.*/m, thermo)}numerical_scheme: { ${scheme} }\n`;
  await run(pressed, 'pressed', 0, ...upTo(60));
  await run(pressed, 'pressed-parts', 3, ...upTo(20));
  await run(pressed, 'pressed-parts', 2, '--restart', ...upTo(60));
  const table = (output: string) => rowsOf(textOf(output, 'thermo.csv'));
  expectNear(table('pressed-parts'), table('pressed'), 1e-9);
});

/** The step of the newest checkpoint; 0 where there is none. */
function newest(output: string): number {
  // A folder may come and go while ranks look whether they can write to it.
  const isThere = existsSync(join(folder, output, 'thermo.csv'));
  const names = isThere ? readdirSync(join(folder, output)) : [];
  return Math.max(0, ...names.map((name) => Number(/\.(\d+)\.ckpt$/.exec(name)?.[1] ?? 0)));
}

const children = (pid: number): number[] =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number);

it('ranks end with the process that started them, also where it is killed, and the run can go on', async () => {
  const { child, ended } = start(melt, 'orphans', 2, ...upTo(10_000_000));
  while (newest('orphans') === 0) await sleep(20);
  const [launcher, watcher] = children(child.pid!);
  const all = [launcher!, watcher!, ...children(launcher!)];
  expect(all).toHaveLength(4);
  child.kill('SIGKILL');
  await ended; // ranks hold its output until they end
  while (all.some((pid) => existsSync(`/proc/${pid}`))) await sleep(20);
  const step = newest('orphans');
  const { err } = await run(melt, 'orphans', 2, '--restart', ...upTo(step + 20));
  expect(err).toContain(`going on from the checkpoint of step ${step}`);
});

it.each(runs(['SIGINT'] as const, ['SIGINT', 'SIGTERM', 'SIGHUP'] as const))(
  '%s of the process that started them ends ranks with their step, though it comes twice',
  async (signal) => {
    const { child, ended } = start(melt, signal, 2, ...upTo(10_000_000));
    while (newest(signal) === 0) await sleep(20);
    for (let k = 0; k < 2; k++) child.kill(signal);
    const { code, err } = await ended;
    expect(code, err).toBe(130);
    expect(err).toContain('interrupted: finishing the step and closing files');
    expect(readdirSync(join(folder, signal))).not.toContain('.corpuscle.lock');
  },
);

itLong(
  'the death of a rank ends the run on all, it goes on as often as it is allowed to, and its checkpoints stay',
  async () => {
    const running = start(melt, 'killed', 2, '--retries', '1', ...upTo(10_000_000));
    /** Ends a rank when there is a checkpoint of a later step. */
    const killAfter = async (step: number) => {
      while (newest('killed') <= step) await sleep(20);
      while (children(running.child.pid!).length === 0) await sleep(20); // it reads the file first
      const launcher = children(running.child.pid!)[0]!;
      process.kill(children(launcher)[1]!, 'SIGKILL');
      while (existsSync(`/proc/${launcher}`)) await sleep(20);
      return newest('killed');
    };
    await killAfter(await killAfter(0));
    const { code, err } = await running.ended;
    expect(code).not.toBe(0);
    expect(err).toMatch(/retry 1 of 1: a rank was lost\n.*going on from the checkpoint of step/s);
    const step = newest('killed');
    const { err: told } = await run(melt, 'killed', 3, '--restart', ...upTo(step + 20));
    expect(told).toContain(`going on from the checkpoint of step ${step}`);
  },
);
