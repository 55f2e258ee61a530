import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { itLong, itOnce, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';
import { cardCases } from './support/cardCases.js';
import { describeCards, env } from './support/describeCards.js';
import { rankCases } from './support/rankCases.js';
import { distancesOf, farthest, numbersOf, rowsOf } from './support/rows.js';

const cases = Object.entries(cardCases).filter(([, { isShort = false }]) => runs(isShort, true));
const some = cases.flatMap(([name, { isShort }]) => (isShort ? [name] : []));
/** What else travels between more than two; cardDoubles.test.ts has it on two. */
const between = ['particles that come and go', 'a skewed box', 'an open box', 'bonded pairs'];
const others = cases.flatMap(([name]) => ([...some, ...between].includes(name) ? [] : [name]));
// Forces are right to 1e-6, and the noise grows with the steps. The virial of a rank is Σ r · F of particles whose forces do not add up
// to zero, so that pressures lose a bit or two more than on one card (7e-7; 2.6e-6 on two).
const nearness = { first: 4e-6, rows: 5e-5, frames: 1e-3 };
const { folder, alone } = describeCards(cases, {
  precision: 'f32',
  alone: 'cpu',
  nearness,
  // On three ranks a card has two neighbors. Each rank compiles its kernels, which takes most of the time. One rank has no halo.
  runs: runs(
    [{ ranks: 2, names: some }],
    [
      { ranks: 2, names: others },
      { ranks: 3, names: [...some, ...between] },
      { ranks: 1, names: some.slice(0, 2) },
    ],
  ),
});

const run = (text: string, ...argv: readonly string[]) => {
  const file = join(folder, 'run.yaml');
  writeFileSync(file, text);
  const all = ['run', file, '--backend', 'webgpu', '--ranks', '2', ...argv];
  return startCli(all, { cwd: folder, env }).ended;
};

const [, { text: melt }] = cases[0]!;

itLong(
  'a run goes on from a checkpoint of cards',
  async () => {
    const text = melt.replace('dump_data: [', 'dump_data: [{ checkpoint: { frequency: 10 } }, ');
    const argv = ['--output', 'kept'];
    const first = await run(text, ...argv, '--set', 'global.end_iteration=10');
    expect(first.code, first.err).toBe(0);
    const second = await run(text, ...argv, '--restart');
    expect(second.code, second.err).toBe(0);
    const rows = rowsOf(readFileSync(join(folder, 'kept', 'thermo.csv'), 'utf8'));
    const known = rowsOf(alone['a melt']!['thermo.csv']!);
    expect(rows).toHaveLength(3);
    for (const [n, row] of rows.entries()) expect(farthest(row, known[n]!)).toBeLessThan(5e-5);
  },
  300_000,
);

itLong(
  'analyses see the particles of all ranks',
  async () => {
    // At first particles are between two bins, where rounding decides.
    const text = rankCases['a melt with analyses']!.text.replace(
      'end_iteration: 100, thermo_frequency: 20',
      'end_iteration: 50, thermo_frequency: 50',
    )
      .replace(/ {2}- coordination: .*\n/, '')
      .replaceAll(/(profile|grid_projection|grid_histogram|cc_label): \{/g, '$1: { from: 10,');
    const { code, err } = await run(text, '--output', 'shared');
    expect(code, err).toBe(0);
    const one = ['run', 'run.yaml', '--backend', 'webgpu', '--output', 'one'];
    const ended = await startCli(one, { cwd: folder, env }).ended;
    expect(ended.code, ended.err).toBe(0);
    const files = readdirSync(join(folder, 'one'));
    expect(readdirSync(join(folder, 'shared'))).toEqual(files);
    expect(files.length).toBeGreaterThan(20);
    const read = (name: string, file: string) => readFileSync(join(folder, name, file), 'utf8');
    for (const file of files) {
      const [text, known] = [read('shared', file), read('one', file)];
      if (file.endsWith('.xyz')) {
        expect(Math.max(...distancesOf(text, known)), file).toBeLessThan(nearness.frames);
        continue;
      }
      const [numbers, all] = [numbersOf(text), numbersOf(known)];
      expect(numbers, file).toHaveLength(all.length);
      const size = Math.max(...all.map(Math.abs));
      const off = all.map((number, k) => Math.abs(numbers[k]! - number) / size);
      expect(Math.max(...off), file).toBeLessThan(1e-4);
    }
  },
  300_000,
);

itLong(
  'a run that blows up leaves its last good state',
  async () => {
    const wild = melt.replace('dt: 0.005', 'dt: 5');
    const { code, err } = await run(wild, '--output', 'wild');
    expect(code).toBe(1);
    expect(err).toMatch(/rank \d: .*the run blew up at step \d+/s);
    expect(err).toMatch(/the last good state known, of step 0, is in failed.xyz/);
    expect(readFileSync(join(folder, 'wild', 'failed.xyz'), 'utf8').split('\n')).toHaveLength(503);
  },
  300_000,
);

itOnce(
  'says in one sentence what cannot run on cards',
  async () => {
    const sentences: readonly (readonly [string, readonly string[], RegExp])[] = [
      [
        melt.replace('seed: 4711', 'seed: 4711, deterministic: true'),
        [],
        /deterministic runs cannot be divided between cards yet/,
      ],
    ];
    for (const [text, argv, sentence] of sentences) {
      const { code, err } = await run(text, '--output', 'refused', '--overwrite', ...argv);
      expect(code, err).not.toBe(0);
      expect(err).toMatch(sentence);
    }
  },
  300_000,
);
