import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';

/** The cells particles are sorted by: cell c lies at x = c mod nx in line `lines[⌊c ÷ nx⌋]` = y + ny·z, and holds rows start[c] … start[c+1]−1. */
export interface Cells {
  readonly dims: readonly [number, number, number];
  /** One more number than there are cells. */
  readonly start: Uint32Array;
  /** Lines along x, in the order of their cells: 0, 1, 2, … except on many threads. */
  readonly lines: Int32Array;
}

/**
 * The cells of the last sort, wherever it was made. How many there are is the engine's choice: CPU and GPU differ.
 * @throws CorpuscleError NOT_SORTED when the particles have not been sorted since their number changed.
 * @example
 * const { dims, start } = await cellTable(grid, ctx);
 */
export async function cellTable(grid: Grid, ctx: ExecutionContext): Promise<Cells> {
  await cellsReady(grid, ctx);
  const { dims, start, lines } = grid.cells;
  const inOrder = () => Int32Array.from({ length: dims[1] * dims[2] }, (_, line) => line);
  return { dims, start: start.slice(), lines: lines?.slice() ?? inOrder() };
}

/** Numbers of the cells that hold particles, for the option `cells` of calls. @throws CorpuscleError NOT_SORTED */
export async function nonEmptyCells(grid: Grid, ctx: ExecutionContext): Promise<Uint32Array> {
  const { start } = await cellTable(grid, ctx);
  const found: number[] = [];
  for (let cell = 0; cell + 1 < start.length; cell++)
    if (start[cell + 1]! > start[cell]!) found.push(cell);
  return Uint32Array.from(found);
}

/** Makes the host's cell table that of the last sort; null when it is. */
export function cellsReady(grid: Grid, { engines }: ExecutionContext): Promise<void> | null {
  const device = engines.accelerator?.device;
  const check = (): void => {
    if (grid.cells.sortVersion === grid.sortVersion) return;
    throw new CorpuscleError(
      'NOT_SORTED',
      'the particles are not sorted by cell yet, so there are no cells: await updateNeighbors(grid, ctx, …) first',
    );
  };
  const current = (): boolean => grid.cells.sortVersion === grid.sortVersion;
  if (device && (!device.idle || !current())) return device.fetchCells(grid).then(check);
  check();
  return null;
}
