import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';

/**
 * Whether cases run in their long form: `pnpm run test:statistics` does. One case alone, with the numbers that it measures:
 *
 *   CORPUSCLE_STATISTICS=1 npx vitest run test/statistics -t 'at T = 0.85, density 0.82'
 */
export const isWhole = process.env.CORPUSCLE_STATISTICS === '1';

/** What a case takes in its long form and in the short one of `test`. */
export const whole = <T>(long: T, short: T): T => (isWhole ? long : short);

/** Milliseconds that a case may take. */
export const patience = whole(1_800_000, 60_000);

/** Says what a case has measured, in the long form. */
export function report(name: string, numbers: Readonly<Record<string, number | string>>): void {
  if (!isWhole) return;
  const words = Object.entries(numbers).map(([key, value]) =>
    typeof value === 'number' ? `${key} ${Number(value.toPrecision(6))}` : `${key} ${value}`,
  );
  process.stdout.write(`${name}: ${words.join(', ')}\n`);
}

/** Runs a simulation on one thread of the processor. @returns its files as text, by name. */
export async function runFiles(yaml: string): Promise<(name: string) => string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-statistics-'));
  const files = new Map<string, string>();
  try {
    const file = path.join(folder, 'in.yaml');
    writeFileSync(file, yaml);
    const simulation = loadSimulation([file], { operators: createRegistry() });
    await using context = await createExecutionContext({ backend: 'cpu', threads: 1 });
    await runSimulation(simulation, { context, outputDirectory: folder });
    for (const [, name] of yaml.matchAll(/file: ([\w.]+)/g))
      files.set(name!, readFileSync(path.join(folder, name!), 'utf8'));
    files.set('thermo.csv', readFileSync(path.join(folder, 'thermo.csv'), 'utf8'));
  } finally {
    rmSync(folder, { recursive: true });
  }
  return (name) => files.get(name)!;
}

/** Columns of a table by name. */
export function columnsOf(text: string): Record<string, number[]> {
  const [head, ...rows] = text.trim().split('\n');
  const numbers = rows.map((row) => row.split(',').map(Number));
  return Object.fromEntries(
    head!.split(',').map((name, k) => [name, numbers.map((row) => row[k]!)]),
  );
}

/** Means of `averages` with their errors, by column. */
export function meansOf(text: string): Record<string, { mean: number; error: number }> {
  const rows: { column: string; mean: number; error: number }[] = JSON.parse(text);
  return Object.fromEntries(rows.map((row) => [row.column, row]));
}
