import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Grid,
  loadSimulation,
  type Registry,
  type RunResult,
  runSimulation,
} from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';

/** What a simulation left, host copies current. */
export interface TextRun {
  readonly result: RunResult;
  readonly grid: Grid;
  /** Fields by name, in the order of ids. */
  values(field: string): number[];
  /** Columns of `thermo.csv`, if there is one. */
  readonly table: Readonly<Record<string, number[]>>;
  /** Texts of the files that were asked for, in their order. */
  readonly texts: readonly string[];
  /** What it said: rows of the table, and sentences. */
  readonly said: readonly string[];
}

interface RunTextOptions {
  readonly operators?: Registry;
  /** Files beside it, by name. */
  readonly files?: Readonly<Record<string, string>>;
  /** Files that it writes, whose text is wanted. */
  readonly wanted?: readonly string[];
}

/** Runs a simulation from its text, in a folder that is removed. */
export async function runText(
  text: string,
  context: ExecutionContext,
  { operators = createRegistry(), files = {}, wanted = [] }: RunTextOptions = {},
): Promise<TextRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-text-'));
  try {
    const file = path.join(folder, 'in.yaml');
    writeFileSync(file, text);
    for (const [name, content] of Object.entries(files))
      writeFileSync(path.join(folder, name), content);
    const simulation = loadSimulation([file], { operators });
    const said: string[] = [];
    const onMessage = (line: string) => said.push(line);
    const result = await runSimulation(simulation, { context, outputDirectory: folder, onMessage });
    const grid = result.state.get(gridKey);
    await newestOnHost(grid, contextOf(result.state));
    const order = grid.rowsById();
    const values = (field: string) => {
      const rows = grid.values(field);
      return Array.from(order, (row) => rows[row]!);
    };
    const texts = wanted.map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const table = tableIn(path.join(folder, 'thermo.csv'));
    return { result, grid, values, table, texts, said };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tableIn(file: string): Record<string, number[]> {
  if (!existsSync(file)) return {};
  const [head, ...rows] = readFileSync(file, 'utf8').trim().split('\n');
  const numbers = rows.map((row) => row.split(',').map(Number));
  return Object.fromEntries(
    head!.split(',').map((name, k) => [name, numbers.map((row) => row[k]!)]),
  );
}
