import { type BlockArray, type Domain, type Grid, imageFlags } from '@corpuscle/core';
import type { Communicator } from '../communicator/Communicator.js';
import type { Decomposition } from './Decomposition.js';

type Split = readonly [boolean, boolean, boolean];

/** Lattice coordinates of all particles, three each. */
export function latticeCoordinates(grid: Grid, domain: Domain): Float64Array {
  const positions = grid.block('position').array;
  const points = new Float64Array(3 * grid.count);
  const s: [number, number, number] = [0, 0, 0];
  for (let row = 0; row < grid.count; row++) {
    const at = 4 * row;
    domain.toFractional(
      Number(positions[at]),
      Number(positions[at + 1]),
      Number(positions[at + 2]),
      s,
    );
    for (let axis = 0; axis < 3; axis++) points[3 * row + axis] = s[axis as 0 | 1 | 2];
  }
  return points;
}

/** Brings particles back into the box along these axes, and counts that in their image flags where they have them. */
export function wrapInto(
  grid: Grid,
  { matrix, periodic }: Domain,
  split: Split,
  points: Float64Array,
): void {
  const positions = grid.block('position').array as Float64Array;
  const flags = grid.blocks.get(imageFlags.name)?.array as Int32Array | undefined;
  for (let row = 0; row < grid.count; row++)
    for (let axis = 0; axis < 3; axis++) {
      const boxes = split[axis] && periodic[axis] ? Math.floor(points[3 * row + axis]!) : 0;
      if (boxes === 0) continue;
      points[3 * row + axis]! -= boxes;
      for (let k = 0; k < 3; k++) positions[4 * row + k]! -= boxes * matrix[3 * axis + k]!;
      if (flags) flags[4 * row + axis]! += boxes;
    }
}

/** Keeps the particles of one rank of those that all ranks have. */
export function keepOwn(
  grid: Grid,
  decomposition: Decomposition,
  rank: number,
  points: Float64Array,
): void {
  const total = grid.count;
  const kept = new Uint32Array(total);
  let count = 0;
  for (let row = 0; row < total; row++)
    if (ownerAt(decomposition, points, row) === rank) kept[count++] = row;
  for (const { array, spec } of grid.blocks.values())
    for (let to = 0; to < count; to++) copyRow(array, spec.width, kept[to]!, to);
  finishRows(grid, count, total);
}

/** Sends particles that have left the brick of their rank to the ranks whose bricks they are in. */
export function migrate(
  grid: Grid,
  decomposition: Decomposition,
  communicator: Communicator,
  points: Float64Array,
): void {
  const { size, rank } = communicator;
  const leaving: number[][] = Array.from({ length: size }, () => []);
  const gone: number[] = [];
  for (let row = 0; row < grid.count; row++) {
    const owner = ownerAt(decomposition, points, row);
    if (owner === rank) continue;
    leaving[owner]!.push(row);
    gone.push(row);
  }
  const arrived = communicator.exchange(leaving.map((rows) => packRows(grid, rows)));
  const stay = closeGaps(grid, gone);
  const bytes = rowBytes(grid);
  const more = arrived.reduce((sum, { length }) => sum + length, 0) / bytes;
  const { total } = grid;
  grid.resize(stay + more, total);
  let row = stay;
  for (const message of arrived) row = unpackRows(grid, message, row);
  finishRows(grid, stay + more, total);
}

const ownerAt = (decomposition: Decomposition, points: Float64Array, row: number): number =>
  decomposition.ownerOf(points[3 * row]!, points[3 * row + 1]!, points[3 * row + 2]!);

function finishRows(grid: Grid, count: number, total: number): void {
  grid.resize(count, total);
  for (const block of grid.blocks.values()) block.rewritten();
}

const rowBytes = (grid: Grid): number =>
  [...grid.blocks.values()].reduce((sum, { bytesPerRow }) => sum + bytesPerRow, 0);

/** All that is known of some particles, one after the other, block after block. */
function packRows(grid: Grid, rows: readonly number[]): Uint8Array {
  const packed = new Uint8Array(new ArrayBuffer(rowBytes(grid) * rows.length));
  let at = 0;
  for (const block of grid.blocks.values()) {
    const bytes = bytesOf(block.array);
    for (const row of rows) {
      const from = row * block.bytesPerRow;
      packed.set(bytes.subarray(from, from + block.bytesPerRow), at);
      at += block.bytesPerRow;
    }
  }
  return packed;
}

/** @returns the row after the last. */
function unpackRows(grid: Grid, packed: Uint8Array, first: number): number {
  const rows = packed.length / rowBytes(grid);
  let at = 0;
  for (const block of grid.blocks.values()) {
    const length = rows * block.bytesPerRow;
    bytesOf(block.array).set(packed.subarray(at, at + length), first * block.bytesPerRow);
    at += length;
  }
  return first + rows;
}

/** Fills the rows of those who have gone from the end. @returns how many stay. */
function closeGaps(grid: Grid, gone: readonly number[]): number {
  const stay = grid.count - gone.length;
  const isGone = new Set(gone);
  const moves: [number, number][] = [];
  let from = grid.count;
  for (const to of gone) {
    if (to >= stay) break;
    do from--;
    while (isGone.has(from));
    moves.push([from, to]);
  }
  for (const { array, spec } of grid.blocks.values())
    for (const [source, target] of moves) copyRow(array, spec.width, source, target);
  return stay;
}

const copyRow = (array: BlockArray, width: number, from: number, to: number): void => {
  for (let k = 0; k < width; k++) array[to * width + k] = array[from * width + k]!;
};

const bytesOf = ({ buffer, byteOffset, byteLength }: BlockArray): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);
