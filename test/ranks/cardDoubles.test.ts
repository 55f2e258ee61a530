import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { itLong, runs } from '../support/runs.js';
import { startCli } from '../support/spawnCli.js';
import { cardCases } from './support/cardCases.js';
import { casesOnRanks } from './support/casesOnRanks.js';
import { describeCards, env } from './support/describeCards.js';
import { rankCases } from './support/rankCases.js';
import { farthest, rowsOf } from './support/rows.js';

const casesOf = (names: readonly string[]) =>
  names.map((name) => [name, cardCases[name]!] as const);

describe('in f64', () => {
  // The kernels of all cases are there: what else they do is the same in f32.
  const more = [
    'a melt',
    'silicon',
    'a barostat',
    'particles that come and go',
    'a skewed box',
    'an open box',
    'a box thinner than two cutoffs',
    'a melt with a biased coordination number',
    'bonded pairs',
  ];
  const many = 'random numbers over many rebuilds';
  const names = runs(['a metal', many], [...more, many]);
  describeCards(casesOf(names), {
    precision: 'f64',
    alone: 'cpu',
    // Double-single carries 48 bits. A pressure is a difference of large numbers, and a force between many neighbors one of larger ones.
    nearness: { first: 1e-12, rows: 1e-9, frames: 1e-8 },
    runs: [{ ranks: 2, names }],
  });
});

describe('in mixed', () => {
  const more = ['a melt', 'a box thinner than two cutoffs', 'particles that come and go'];
  const names = runs(['silicon', 'a barostat'], more);
  describeCards(casesOf(names), {
    precision: 'mixed',
    alone: 'webgpu',
    // Pairs are computed in single precision: some of them are rounded otherwise, where positions differ in their last bits.
    nearness: { first: 1e-12, rows: 5e-6, frames: 1e-4 },
    runs: [{ ranks: 2, names }],
  });
});

describe('a run on cards in f64', () => {
  const { fileOf, folder, alone } = casesOnRanks([['a melt', rankCases['a melt']!]]);
  itLong(
    'goes on from its checkpoint on another number of ranks',
    async () => {
      const text = readFileSync(fileOf('a melt'), 'utf8');
      writeFileSync(fileOf('a melt'), `${text}dump_data: [{ checkpoint: { frequency: 40 } }]\n`);
      const on = async (ranks: number, ...argv: readonly string[]) => {
        const kind = ['--backend', 'webgpu', '--precision', 'f64', '--ranks', `${ranks}`];
        const all = ['run', fileOf('a melt'), '--output', 'kept', ...kind, ...argv];
        const { code, err } = await startCli(all, { cwd: folder, env }).ended;
        expect(code, err).toBe(0);
      };
      await on(2, '--set', 'global.end_iteration=40');
      await on(3, '--restart', '--set', 'global.end_iteration=80');
      await on(1, '--restart');
      const rows = rowsOf(readFileSync(join(folder, 'kept', 'thermo.csv'), 'utf8'));
      const known = rowsOf(alone['a melt']!['thermo.csv']!);
      expect(rows).toHaveLength(6);
      expect(farthest(rows[0]!, known[0]!)).toBeLessThan(1e-12);
      for (const [n, row] of rows.entries()) expect(farthest(row, known[n]!)).toBeLessThan(1e-9);
    },
    600_000,
  );
});
