import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { findFormat } from '@corpuscle/operators';
import { meltYaml, type Workplace } from '../support/runCli.js';
import { killRun } from './killRun.js';
import type { Try } from './soak.js';

/** What a run leaves that must not depend on kills. */
const OUTPUTS = ['thermo.csv', 'frames.xyz', 'g.csv', 'last.xyz'];

/** Ways to run, on the CPU. */
export const CPU_WAYS = [
  ['2 threads in f64', ['--threads', '2']],
  ['1 thread in f64', ['--threads', '1']],
  ['2 threads in mixed precision', ['--threads', '2', '--precision', 'mixed']],
] as const;

/** A run that is killed again and again. */
export interface Story {
  readonly work: Workplace;
  /** Of the command, besides the file and its folder. */
  readonly options: readonly string[];
  readonly steps: number;
  /** Steps between checkpoints; frames are half as many. */
  readonly every: number;
}

const yaml = ({ steps, every }: Story): string =>
  meltYaml({
    configuration: '{ units: lj, seed: 87287, deterministic: true }',
    global: `{ dt: 0.005, rcut_inc: 0.3, end_iteration: ${steps}, thermo_frequency: 10 }`,
    dump_data: `
  - write_extended_xyz: { file: frames.xyz, frequency: ${2 * every} }
  - radial_distribution: { file: g.csv, bins: 20, frequency: ${every} }
  - checkpoint: { frequency: ${every} }`,
    simulation_epilog: '\n  - write_extended_xyz: { file: last.xyz }',
  });

/**
 * Makes a run without kills. A try then is a run that is killed at random moments and goes on until it is complete: after each kill
 * what is older than a second must be there, and at the end the same bytes.
 */
export async function goOn(story: Story, name: string): Promise<Try> {
  const { work, options } = story;
  work.write({ [`${name}.yaml`]: yaml(story) });
  const argv = (folder: string) => [`${name}.yaml`, ...options, '--output', folder];
  const outputsOf = (folder: string): Record<string, string> =>
    Object.fromEntries(
      OUTPUTS.map((file) => [file, readFileSync(work.path(`${folder}/${file}`), 'utf8')]),
    );
  const begun = performance.now();
  const { code, err } = await killRun(work.root, argv(`${name}-whole`));
  assert.equal(code, 0, err);
  const duration = performance.now() - begun;
  const expected = outputsOf(`${name}-whole`);
  return async (kills, random, seed) => {
    const folder = `${name}-${seed}`;
    let killed = 0;
    for (let isComplete = false; !isComplete; ) {
      const moment = kills.take()
        ? ({ after: 100 + random.next() * duration, since: 'start' } as const)
        : undefined;
      const run = await killRun(work.root, [...argv(folder), '--restart'], moment);
      isComplete = run.code === 0;
      if (moment && run.code !== null) kills.giveBack();
      if (run.code === null) {
        killed++;
        await assertKept(story, folder, run.settled);
        kills.survived();
      } else assert.equal(run.code, 0, `${name}, after ${killed} kills: ${run.err}`);
    }
    for (const [file, text] of Object.entries(outputsOf(folder)))
      assert.ok(text === expected[file], `${name}: ${file} differs after ${killed} kills`);
    const left = readdirSync(work.path(folder)).filter((file) => file.endsWith('.ckpt'));
    assert.equal(left.length, 2, 'checkpoints that are kept');
  };
}

/** Asserts that rows and frames of these steps are in the files of a run that was killed, and can be read. */
async function assertKept(
  { work, every }: Story,
  folder: string,
  steps: readonly number[],
): Promise<void> {
  if (steps.length === 0) return;
  const rows = readFileSync(work.path(`${folder}/thermo.csv`), 'utf8')
    .split('\n')
    .slice(1);
  const kept = new Set(rows.map((row) => Number(row.split(',')[0])));
  assert.deepEqual(
    steps.filter((step) => !kept.has(step)),
    [],
    'rows that are lost',
  );
  const due = steps.filter((step) => step % (2 * every) === 0);
  const frames = new Set<number | undefined>();
  const { read } = findFormat('frames.xyz');
  for await (const { step } of read!(work.path(`${folder}/frames.xyz`), { onNote: () => {} }))
    frames.add(step);
  assert.deepEqual(
    due.filter((step) => !frames.has(step)),
    [],
    'frames that are lost',
  );
}
