import type { KernelSource } from '../device/GpuKernel.js';
import { plus, times } from '../wgsl/numberText.js';
import type { TileShape } from './TileShape.js';

/** Text for each of the cells of a thread. */
export const eachCellOf =
  ({ perLane }: TileShape) =>
  (text: (k: number) => string, between = '\n  '): string =>
    Array.from({ length: perLane }, (_, k) => text(k)).join(between);

/** Parameters of `scanBody`. */
export const scanParams = {
  last: 'u32',
  cells: 'u32',
  tiles: 'u32',
  counts: 'u32',
  totals: 'u32',
  before: 'u32',
  used: 'u32',
} as const satisfies KernelSource['params'];

/** Declarations that it needs. */
export const scanDeclarations = ({ lanes, bits }: TileShape): string => `
var<workgroup> rowsBefore: atomic<u32>;
var<workgroup> sums: array<u32, ${2 * lanes}>;
// The first row of each cell of the tile, and the end of the last.
var<workgroup> firsts: array<u32, ${2 ** bits + 1}>;
// The sum of what all lanes before this one hold; in uniform control flow, once.
fn sumBefore(lane: u32, own: u32) -> u32 {
  // Alternates between two halves, so that no lane writes what others still read.
  var half = 0u;
  var sum = own;
  sums[lane] = sum;
  workgroupBarrier();
  for (var step = 0u; step < ${Math.log2(lanes)}u; step++) {
    let reach = 1u << step;
    if (lane >= reach) { sum += sums[half + lane - reach]; }
    half ^= ${lanes}u;
    sums[half + lane] = sum;
    workgroupBarrier();
  }
  return sum - own;
}`;

/**
 * Statements of a kernel with a workgroup for each tile of cells, which make of the counts in `scratch` the first row of each
 * cell without waiting between workgroups: each adds up the totals of the tiles before its own, and scans its tile from
 * there. Totals are read ½ tiles² times, little for the cells of ten million particles.
 *
 * Counts are replaced by zeros on the way, ready to be counted up again; so are totals of the time before, since others
 * still read those of now.
 *
 * They leave `firsts` and `start` of the tile; `cell` is the first of the thread's own, and for each of these there are
 * `count_k`, `first_k`, and `last_k`, the particle that arrived last.
 */
export function scanBody(shape: TileShape): string {
  const { lanes, perLane, bits } = shape;
  const eachCell = eachCellOf(shape);
  return `
  // Scan: first rows of the cells of this tile. What the thread needs is under way while it adds up totals.
  let cell = index${times(perLane)};
  ${eachCell(
    (k) => `let last_${k} = scratch[P.last + cell${plus(k)}];
  var count_${k} = 0u;
  if (cell${plus(k)} < P.cells) { count_${k} = scratch[P.counts + cell${plus(k)}]; }`,
  )}
  var part = 0u;
  var k = lane;
  for (var left = (max(min(group, P.tiles), k) - k + ${lanes - 1}u) / ${lanes}u; left > 0u; left--) {
    part += scratch[P.totals + k];
    k += ${lanes}u;
  }
  // Rows before the tile, then rows before the thread's own cells.
  if (part != 0u) { atomicAdd(&rowsBefore, part); }
  let held = ${eachCell((k) => `count_${k}`, ' + ')};
  let first_0 = sumBefore(lane, held) + atomicLoad(&rowsBefore);
  ${eachCell((k) => `let first_${k + 1} = first_${k} + count_${k};`)}
  ${eachCell(
    (k) => `firsts[lane${times(perLane)}${plus(k)}] = first_${k};
  if (cell${plus(k)} < P.cells) {
    start[cell${plus(k)}] = first_${k};
    scratch[P.counts + cell${plus(k)}] = 0u;
  }`,
  )}
  if (lane == ${lanes - 1}u) { firsts[${2 ** bits}] = first_${perLane}; }
  if (group + 1u == P.tiles && lane == ${lanes - 1}u) { start[P.cells] = first_${perLane}; }
  // Totals of the sort before are cleared.
  let threads = ${lanes}u * P.tiles;
  k = index;
  for (var left = (max(P.used, k) - k + threads - 1u) / threads; left > 0u; left--) {
    scratch[P.before + k] = 0u;
    k += threads;
  }`;
}
