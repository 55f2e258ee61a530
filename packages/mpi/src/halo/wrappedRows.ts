import { type Grid, imageFlags } from '@corpuscle/core';
import type { Triple } from '../decomposition/Decomposition.js';

/** A row that a sort has brought back into the box, and the boxes that it took off its position. */
interface WrappedRow {
  readonly row: number;
  readonly boxes: Triple;
}

/** Before a sort: lets it count what it takes off. */
export function countWraps(grid: Grid): void {
  const flags = grid.addBlock(imageFlags);
  (flags.array as Int32Array).fill(0);
  flags.hostWritten();
}

/**
 * After the sort: the rows whose positions it has changed. A particle at a face of a box that leans is within it by one rounding, and
 * outside by that of its image on another rank. List entries count from where the sort has put it.
 */
export function wrappedRows(grid: Grid): readonly WrappedRow[] {
  const flags = grid.block(imageFlags.name).array as Int32Array;
  const wrapped: WrappedRow[] = [];
  for (let row = 0; row < grid.count; row++) {
    const [a, b, c] = [flags[4 * row]!, flags[4 * row + 1]!, flags[4 * row + 2]!];
    if ((a | b | c) !== 0) wrapped.push({ row, boxes: [a, b, c] });
  }
  return wrapped;
}

/** Takes the same boxes off positions that have been written anew. */
export function wrapAgain(grid: Grid, rows: readonly WrappedRow[]): void {
  const { matrix } = grid.domain;
  const positions = grid.block('position').array as Float64Array;
  for (const { row, boxes } of rows)
    for (let k = 0; k < 3; k++)
      for (let axis = 0; axis < 3; axis++)
        positions[4 * row + k]! -= boxes[axis]! * matrix[3 * axis + k]!;
}
