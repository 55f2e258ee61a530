import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { mpirun } from '../support/mpirun.js';
import { runs } from '../support/runs.js';
import { rankCases } from './support/rankCases.js';

const program = fileURLToPath(new URL('programs/runs.mjs', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'corpuscle-ranks-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Row = Readonly<Record<string, number>>;

/** The rows of a thermo table. */
function rowsOf(table: string): Row[] {
  const [head, ...lines] = table.trim().split('\n');
  const names = head!.split(',');
  return lines.map((line) => {
    const numbers = line.split(',').map(Number);
    return Object.fromEntries(names.map((name, k) => [name, numbers[k]!]));
  });
}

/** The largest difference, relative to the size of what is summed: a pressure is the difference of large numbers. */
function farthest(row: Row, known: Row): number {
  const names = Object.keys(known);
  const sizeOf = (pattern: RegExp) =>
    Math.max(
      1,
      ...names.filter((name) => pattern.test(name)).map((name) => Math.abs(known[name]!)),
    );
  const [energy, pressure] = [sizeOf(/_energy$/), sizeOf(/^p(ressure|[xyz]{2})$/)];
  return Math.max(
    ...names.map((name) => {
      const isPressure = /^p(ressure|[xyz]{2})$/.test(name);
      const size = /_energy$/.test(name)
        ? energy
        : isPressure
          ? pressure
          : sizeOf(RegExp(`^${name}$`));
      return Math.abs(row[name]! - known[name]!) / size;
    }),
  );
}

const names = Object.keys(rankCases);
const files = names.map((name) => join(folder, `${name.replaceAll(' ', '-')}.yaml`));
const alone: { readonly rows: Row[]; readonly frames: number[] }[] = [];

/** All numbers of a trajectory in their order; texts between them are left out. */
const numbersOf = (frames: string): number[] =>
  frames
    .split(/[\s"]+/)
    .filter((word) => word !== '')
    .map(Number)
    .filter((number) => !Number.isNaN(number));

const framesOf = (folder: string): string => {
  const file = join(folder, 'frames.xyz');
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
beforeAll(async () => {
  for (const [k, name] of names.entries()) {
    const { text, particles } = rankCases[name]!;
    writeFileSync(files[k]!, text);
    if (particles) writeFileSync(join(folder, particles.file), particles.text);
    await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const simulation = loadSimulation([files[k]!], { operators: createRegistry() });
    const outputDirectory = join(folder, 'alone');
    await runSimulation(simulation, { context, outputDirectory, older: 'replace' });
    const table = readFileSync(join(outputDirectory, 'thermo.csv'), 'utf8');
    alone.push({ rows: rowsOf(table), frames: numbersOf(framesOf(outputDirectory)) });
    rmSync(outputDirectory, { recursive: true });
  }
});

describe.each(runs([3], [1, 2, 3, 4, 7, 8]))('on %i ranks', (ranks) => {
  let outputs: { readonly table: string; readonly frames: string }[];
  beforeAll(async () => {
    const { code, out, err } = await mpirun(ranks, [program, ...files]);
    expect(code, err).toBe(0);
    outputs = JSON.parse(out);
  }, 300_000);

  it.each(names.map((name, k) => [name, k] as const))('%s has the rows of one process', (_, k) => {
    const known = alone[k]!.rows;
    const rows = rowsOf(outputs[k]!.table);
    expect(rows).toHaveLength(6);
    // Sums in another order; afterwards chaos lets differences grow.
    expect(farthest(rows[0]!, known[0]!)).toBeLessThan(1e-13);
    for (const [n, row] of rows.entries()) expect(farthest(row, known[n]!)).toBeLessThan(1e-9);
  });

  it('writes the trajectory of one process, in the order of ids', () => {
    const known = alone.map(({ frames }) => frames);
    expect(known.some((numbers) => numbers.length > 6000)).toBe(true);
    for (const [k, { frames }] of outputs.entries()) {
      const numbers = numbersOf(frames);
      expect(numbers).toHaveLength(known[k]!.length);
      const off = numbers.map((number, n) => Math.abs(number - known[k]![n]!));
      expect(Math.max(0, ...off)).toBeLessThan(1e-8);
    }
  });
});
