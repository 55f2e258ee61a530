import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { mpirun } from '../support/mpirun.js';
import { itLong, runs } from '../support/runs.js';
import { casesOnRanks, outputsOn, programOf, type Texts } from './support/casesOnRanks.js';
import { type RankCase, rankCases } from './support/rankCases.js';
import { farthest, numbersOf, type Row, rowsOf } from './support/rows.js';

const program = programOf('runs');
const cases = Object.entries(rankCases).filter(([, { isShort = false }]) => runs(isShort, true));
const { fileOf, alone } = casesOnRanks(cases);

// On two each is both neighbors of the other; on eight all axes are cut. The test below has all on one and on five, which are cut unevenly.
describe.each(runs([3], [2, 3, 8]))('on %i ranks', (ranks) => {
  const isHere = ({ ranks: some, isShort = false }: RankCase): boolean =>
    ranks === 3 ? runs(true, !isShort) : (some?.includes(ranks) ?? true);
  const names = cases.filter(([, one]) => isHere(one)).map(([name]) => name);
  let outputs: Readonly<Record<string, Texts>>;
  beforeAll(async () => {
    const texts = await outputsOn(ranks, program, names.map(fileOf));
    outputs = Object.fromEntries(names.map((name, k) => [name, texts[k]!]));
  }, 600_000);

  it.each(names)('%s has the rows of one process', (name) => {
    const [known, rows] = [alone, outputs].map((of) => rowsOf(of[name]!['thermo.csv']!)) as [
      Row[],
      Row[],
    ];
    expect(rows).toHaveLength(6);
    // Sums in another order; afterwards chaos lets differences grow.
    expect(farthest(rows[0]!, known[0]!)).toBeLessThan(rankCases[name]!.first ?? 1e-13);
    for (const [n, row] of rows.entries()) expect(farthest(row, known[n]!)).toBeLessThan(1e-9);
  });

  it.each(names)('%s writes the files of one process', (name) => {
    const { 'thermo.csv': _rows, ...known } = alone[name]!;
    expect(Object.keys(outputs[name]!).sort()).toEqual(Object.keys(alone[name]!).sort());
    for (const [file, text] of Object.entries(known)) {
      const [numbers, expected] = [outputs[name]![file]!, text].map(numbersOf) as [
        number[],
        number[],
      ];
      expect(expected.length, file).toBeGreaterThan(3);
      expect(numbers, file).toHaveLength(expected.length);
      const off = numbers.map(
        (number, n) => Math.abs(number - expected[n]!) / Math.max(1, Math.abs(expected[n]!)),
      );
      expect(Math.max(...off), file).toBeLessThan(/xyz$/.test(file) ? 1e-8 : 1e-9);
    }
  });
});

const halfAsLong = (text: string): string =>
  text.replace(
    'end_iteration: 100, thermo_frequency: 20',
    'end_iteration: 50, thermo_frequency: 10',
  );

itLong(
  'deterministic runs of all cases have the rows of one process, and the same bits on any number of ranks',
  async () => {
    const names = Object.keys(rankCases);
    const files = names.map((name) => fileOf(`deterministic ${name.replaceAll(/\W+/g, '-')}`));
    for (const [k, name] of names.entries()) {
      const text = rankCases[name]!.text.replace(
        'configuration: {',
        'configuration: { deterministic: true,',
      );
      // One bit makes all others differ: where nothing is planned for later steps, and nothing is a ramp, half of them tell as much.
      const isPlanned = /dump_data|after_drift|(pressure|temperature): \[/.test(text);
      const bits = isPlanned ? text : halfAsLong(text);
      expect(bits).toContain('deterministic: true');
      writeFileSync(files[k]!, bits);
    }
    const first = await outputsOn(1, program, files);
    for (const [k, name] of names.entries()) {
      const known = rowsOf(alone[name]!['thermo.csv']!);
      const far = rowsOf(first[k]!['thermo.csv']!).flatMap((row) => {
        const same = known.find(({ step }) => step === row.step);
        return same ? [farthest(row, same)] : [];
      });
      expect(far.length, name).toBeGreaterThan(2);
      // A minimizer ends anywhere within its tolerance, 1e-6, if it rounds in another way.
      const isMinimized = rankCases[name]!.text.includes('force_tolerance: 1e-6');
      expect(far[0], name).toBeLessThan(isMinimized ? 1e-6 : 1e-13);
      expect(Math.max(...far), name).toBeLessThan(isMinimized ? 1e-6 : 1e-9);
    }
    // What neighborhoods give to their neighbors is added up in an order that depends on the ranks.
    const compared = [...names.keys()].filter((k) => !names[k]!.includes('silicon'));
    const outputs = await outputsOn(
      5,
      program,
      compared.map((k) => files[k]!),
    );
    for (const [n, k] of compared.entries())
      expect(outputs[n], `${names[k]} on 5 ranks`).toEqual(first[k]);
  },
  1_800_000,
);

it('all ranks learn of what an analysis leaves in fields, wherever the particle is', async () => {
  const { code, out, err } = await mpirun(3, [programOf('marks')]);
  expect(code, err).toBe(0);
  const { shared, alone: known } = JSON.parse(out);
  const rows = rowsOf(shared);
  expect(rows).toHaveLength(21);
  for (const [n, row] of rowsOf(known).entries())
    expect(farthest(rows[n]!, row)).toBeLessThan(1e-9);
});
