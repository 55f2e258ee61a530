import type { CellTable, NeighborListKind, RowRange } from '@corpuscle/core';
import type { CellLines } from './CellLines.js';
import type { StencilRow } from './stencil.js';

/** A part of a list: its cells first … end − 1. */
interface Part {
  readonly first: number;
  readonly end: number;
}

/** What searches of one kind meet, for each line of cells. */
export interface LinesMet {
  readonly kind: NeighborListKind;
  /** Lines that one meets at most, itself first. */
  readonly each: number;
  /** By place, `each` numbers: the places of lines that it meets; itself where there are fewer. */
  readonly places: Int32Array;
}

/** Which lines the cells of each line meet in a search: all in reach, across the box too; in a half list those that it names. */
export function linesMet(
  lines: CellLines,
  stencil: readonly StencilRow[],
  kind: NeighborListKind,
): LinesMet {
  const [, ny] = lines.dims;
  const each = stencil.length + 1;
  const places = new Int32Array(each * lines.line.length);
  for (let place = 0; place < lines.line.length; place++) {
    const y = lines.line[place]! % ny;
    const z = (lines.line[place]! - y) / ny;
    places[each * place] = place;
    for (let k = 1; k < each; k++) {
      const met = placeBeside(lines, y, z, stencil[k - 1]!, kind);
      places[each * place + k] = met < 0 ? place : met;
    }
  }
  return { kind, each, places };
}

/**
 * Rows that entries of a part may name, as themselves or as neighbors, by whole lines of cells. Of half lists only those that
 * entries at the border name: where a line or one that it meets is not of this part alone.
 */
export function rowsNamed(
  { start, dims: [nx] }: CellTable,
  { kind, each, places }: LinesMet,
  { first, end }: Part,
): RowRange[] {
  if (end <= first) return [];
  const named = new Uint8Array(places.length / each);
  const [firstWhole, endWhole] = [Math.ceil(first / nx), Math.floor(end / nx)];
  for (let place = Math.floor(first / nx); place < Math.ceil(end / nx); place++) {
    let isBorder = kind === 'full';
    const [from, to] = [each * place, each * place + each];
    for (let k = from; k < to; k++) isBorder ||= places[k]! < firstWhole || places[k]! >= endWhole;
    if (isBorder) for (let k = from; k < to; k++) named[places[k]!] = 1;
  }
  const ranges: RowRange[] = [];
  for (let place = 0; place < named.length; place++) {
    if (named[place] === 0) continue;
    const from = place;
    while (named[place] === 1) place++;
    const range = { first: start[nx * from]!, end: start[nx * place]! };
    if (range.first < range.end) ranges.push(range);
  }
  return ranges;
}

/** The place of the line beside (y, z), across the box too; −1 where a half list does not name it. The search has the same rule. */
function placeBeside(
  lines: CellLines,
  y: number,
  z: number,
  row: StencilRow,
  kind: NeighborListKind,
): number {
  const [, ny, nz] = lines.dims;
  const y1 = y + row.y;
  const z1 = z + row.z;
  const place = lines.place[inside(z1, nz) * ny + inside(y1, ny)]!;
  if (kind === 'full' || z1 >= nz) return place;
  if (z1 < 0) return -1;
  const slabs = lines.slab[z1]! - lines.slab[z]!;
  if (slabs !== 0) return slabs > 0 ? place : -1;
  if (y1 < 0) return place;
  if (y1 >= ny) return -1;
  return place >= lines.place[z * ny + y]! ? place : -1;
}

const inside = (k: number, n: number): number => (k >= 0 && k < n ? k : ((k % n) + n) % n);
