import { CorpuscleError, type Grid, type NearestImages, type SharedHeap } from '@corpuscle/core';
import type { SharedArray } from '../../../plan/createArray.js';
import type { PairState } from '../PairState.js';
import { imageSlots } from './nearestDifference.js';
import { tileSlots } from './TileSetting.js';

const NOWHERE = 0xffffffff;

/** Rows of a set; all rows of the grid where none are given. `rowByLabel` where they are named by labels. */
export function rowsOf(
  grid: Grid,
  rows: SharedArray | null,
  rowByLabel: Uint32Array | null,
): Uint32Array {
  if (rows === null) return Uint32Array.from({ length: grid.count }, (_, row) => row);
  const given = rows.values as Uint32Array;
  if (!rowByLabel) return given;
  return given.map((label) => {
    const row = rowByLabel[label] ?? NOWHERE;
    if (row !== NOWHERE) return row;
    throw new CorpuscleError('INVALID_VALUE', `no particle has the label ${label}`);
  });
}

/** The row of the particle with each label. */
export function rowsByLabel(grid: Grid, labels: string): Uint32Array {
  const rows = new Uint32Array(grid.count + 1).fill(NOWHERE);
  const label = grid.block(grid.field(labels).block).array as Uint32Array;
  for (let row = 0; row < grid.count; row++) rows[label[row]!] = row;
  rows[0] = NOWHERE;
  return rows;
}

/** Lays neighbors out as `tileKernel` reads them. */
export function packNeighbors(
  heap: SharedHeap,
  state: PairState,
  grid: Grid,
  central: Uint32Array,
  neighbors: Uint32Array,
): Record<string, number> {
  const { length } = neighbors;
  const padded = 4 * Math.ceil(length / 4);
  const rows = state.buffer('all pairs: rows').reserve(4 * (central.length + padded + 4));
  const own = heap.i32(rows, central.length + padded);
  own.set(central);
  own.fill(0, central.length);
  own.set(neighbors, central.length);
  const coordinates = state.buffer('all pairs: neighbors').reserve(8 * 3 * (padded + 4));
  const to = heap.f64(coordinates, 3 * padded);
  const from = grid.block('position').array as Float64Array;
  to.fill(Number.NaN);
  for (let k = 0; k < length; k++) {
    const row = 4 * neighbors[k]!;
    to[k] = from[row]!;
    to[padded + k] = from[row + 1]!;
    to[2 * padded + k] = from[row + 2]!;
  }
  return {
    [tileSlots.central]: rows,
    [tileSlots.rows]: rows + 4 * central.length,
    [tileSlots.x]: coordinates,
    [tileSlots.y]: coordinates + 8 * padded,
    [tileSlots.z]: coordinates + 16 * padded,
    [tileSlots.bytes]: 8 * padded,
  };
}

/** The slots that `nearestDifference` reads. */
export function imageValues(
  heap: SharedHeap,
  state: PairState,
  { kind, basis, dual, shifts, inner2, rounded2 }: NearestImages,
  rcut: number,
): Record<string, number> {
  if (kind === 'open') return {};
  const values: Record<string, number> = {};
  for (let k = 0; k < 9; k++) {
    values[imageSlots.basis(k)] = basis[k]!;
    values[imageSlots.dual(k)] = dual[k]!;
  }
  if (kind === 'orthorhombic') return values;
  const address = state.buffer('all pairs: shifts').reserve(8 * shifts.length);
  heap.f64(address, shifts.length).set(shifts);
  values[imageSlots.doubtful2] = rcut * rcut <= rounded2 ? Number.POSITIVE_INFINITY : inner2;
  values[imageSlots.shifts] = address;
  values[imageSlots.shiftsEnd] = address + 8 * shifts.length;
  return values;
}
