import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadSimulation, runSimulation } from '@corpuscle/core';
import { createRegistry } from '@corpuscle/operators';
import { createExecutionContext } from '@corpuscle/patterns';

/** Whether cases run in their long form: `pnpm run test:statistics` does. */
export const isWhole = process.env.CORPUSCLE_STATISTICS === '1';

/** What a case takes in its long form and in the short one of `test`. */
export const whole = <T>(long: T, short: T): T => (isWhole ? long : short);

/** Which part of their steps long forms take: less is known with larger errors. */
const part = Number(process.env.CORPUSCLE_STATISTICS_PART ?? 1);

/** The same for numbers of steps, of which long forms may take a part. */
export const stepsOf = (long: number, short: number): number =>
  isWhole ? Math.round((part * long) / 100) * 100 : short;

/** Milliseconds that a case may take. */
export const patience = whole(1_800_000, 60_000);

/** Files of a run as text, by name. */
export type Files = Readonly<Record<string, string>>;

/** Runs a simulation, on one thread of the processor or on a device. @returns its files. */
export async function runFiles(yaml: string, backend: 'cpu' | 'webgpu' = 'cpu'): Promise<Files> {
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-statistics-'));
  const files: Record<string, string> = {};
  try {
    const file = path.join(folder, 'in.yaml');
    writeFileSync(file, yaml);
    const simulation = loadSimulation([file], { operators: createRegistry() });
    await using context = await createExecutionContext({ backend, threads: 1 });
    await runSimulation(simulation, { context, outputDirectory: folder });
    for (const [, name] of yaml.matchAll(/file: ([\w.]+)/g))
      files[name!] = readFileSync(path.join(folder, name!), 'utf8');
    files['thermo.csv'] = readFileSync(path.join(folder, 'thermo.csv'), 'utf8');
  } finally {
    rmSync(folder, { recursive: true });
  }
  return files;
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
