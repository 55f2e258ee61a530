import { CorpuscleError, type Grid } from '@corpuscle/core';
import type { ExecutionContext } from '../context/ExecutionContext.js';
import { cellsReady } from './cellTable.js';
import { fetchNewest, type Readying } from './dispatch.js';

/** Which particles a call takes, and in which order. */
export interface SelectionOptions {
  /** Only the particles of these cells of the last sort; see `nonEmptyCells`. Default: all particles. */
  readonly cells?: ArrayLike<number>;
  /**
   * `ids`: one particle after the other in the order of their ids, so that sums have the same bits however the particles
   * have been sorted. Default `rows`: in the order they lie, which is also the same in every run.
   */
  readonly order?: 'rows' | 'ids';
}

/** The rows a call works on, found when its turn has come. */
export interface RowSelection {
  /** Null for all particles. */
  readonly ready: Readying;
  readonly rows: () => Uint32Array | undefined;
}

/** What `cells` and `order` mean for a call. */
export function rowSelection(
  grid: Grid,
  ctx: ExecutionContext,
  { cells, order = 'rows' }: SelectionOptions,
): RowSelection {
  if (order !== 'rows' && order !== 'ids') {
    throw new CorpuscleError('INVALID_VALUE', `order is '${order}': give 'rows' or 'ids'`);
  }
  if (!cells && order === 'rows') return everything;
  let rows: Uint32Array | undefined;
  const choose = (): void => {
    rows = cells ? rowsOfCells(grid, cells) : grid.rowsById();
    if (cells && order === 'ids') rows = sortedById(grid, rows);
  };
  return {
    rows: () => rows,
    ready() {
      const table = cells ? cellsReady(grid, ctx) : null;
      const device = ctx.engines.accelerator?.device;
      const ids = () =>
        order === 'ids' && device ? fetchNewest(device, [grid.block('id')], grid) : null;
      const waiting = table === null ? ids() : table.then(() => ids() ?? undefined);
      if (waiting !== null) return waiting.then(choose);
      choose();
      return null;
    },
  };
}

const everything: RowSelection = { ready: null, rows: () => undefined };

function rowsOfCells(grid: Grid, cells: ArrayLike<number>): Uint32Array {
  const { start, count } = grid.cells;
  let length = 0;
  for (let k = 0; k < cells.length; k++) {
    const cell = cells[k]!;
    if (!(Number.isInteger(cell) && cell >= 0 && cell < count)) {
      throw new CorpuscleError(
        'INDEX_OUT_OF_RANGE',
        `the list names cell ${cell}, but the last sort has cells 0 … ${count - 1}: make the list again after updateNeighbors`,
      );
    }
    length += start[cell + 1]! - start[cell]!;
  }
  const rows = new Uint32Array(length);
  let at = 0;
  for (let k = 0; k < cells.length; k++) {
    const end = start[cells[k]! + 1]!;
    for (let row = start[cells[k]!]!; row < end; row++) rows[at++] = row;
  }
  return rows;
}

function sortedById(grid: Grid, rows: Uint32Array): Uint32Array {
  const ids = grid.block('id').array;
  return rows.sort((a, b) => Number(ids[a]) - Number(ids[b]));
}
