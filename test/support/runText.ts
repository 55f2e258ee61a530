import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Grid, loadSimulation, type RunResult, runSimulation } from '@corpuscle/core';
import { contextOf, createRegistry, gridKey } from '@corpuscle/operators';
import { type ExecutionContext, newestOnHost } from '@corpuscle/patterns';

/** What a simulation left, host copies current. */
export interface TextRun {
  readonly result: RunResult;
  readonly grid: Grid;
  /** Fields by name, in the order of ids. */
  values(field: string): number[];
}

/** Runs a simulation from its text, in a folder that is removed. */
export async function runText(
  text: string,
  context: ExecutionContext,
  operators = createRegistry(),
): Promise<TextRun> {
  const folder = mkdtempSync(path.join(tmpdir(), 'corpuscle-text-'));
  try {
    const file = path.join(folder, 'in.yaml');
    writeFileSync(file, text);
    const simulation = loadSimulation([file], { operators });
    const result = await runSimulation(simulation, { context, outputDirectory: folder });
    const grid = result.state.get(gridKey);
    await newestOnHost(grid, contextOf(result.state));
    const order = grid.rowsById();
    const values = (field: string) => {
      const rows = grid.values(field);
      return Array.from(order, (row) => rows[row]!);
    };
    return { result, grid, values };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
