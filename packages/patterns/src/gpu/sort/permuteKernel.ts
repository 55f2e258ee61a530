import type { KernelSource } from '../device/GpuKernel.js';
import { packingText } from '../neighbors/candidates.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { eachCellOf, scanBody, scanDeclarations, scanParams } from './scanText.js';
import type { TileShape } from './TileShape.js';

/** Threads of a workgroup that moves more blocks. */
const MORE_LANES = 128;

const read = (name: string, type: string) => ({ name, type, access: 'read' }) as const;
const write = (name: string, type: string) => ({ name, type, access: 'read_write' }) as const;

const blocksOf = (types: readonly string[]) =>
  types.flatMap((type, k) => [
    read(`before_${k}`, `array<${type}>`),
    write(`after_${k}`, `array<${type}>`),
  ]);

const lines = (types: readonly unknown[], text: (k: number) => string): string =>
  types.map((_, k) => text(k)).join('\n    ');

/** Candidates lie at the beginning of the buffer of the sort, or in one of their own where one binding cannot hold all. */
export type CandidatesPlace = 'scratch' | 'apart';

/** How workgroups are made, and what the kernel does besides moving blocks. */
export interface FirstPass {
  readonly shape: TileShape;
  /** Where positions become candidates of a search too; null where they do not. */
  readonly packs: CandidatesPlace | null;
  /** Old rows are noted for kernels that move more blocks. */
  readonly notes: boolean;
}

/**
 * Finds the first row of each cell, and moves positions and more blocks, whose rows have these WGSL types, to their new rows.
 * A workgroup takes a tile of cells:
 *
 *   scan   counts → first row of each of its cells
 *   walk   a thread writes which particles are in its cells, in whatever order they arrived
 *   move   a thread takes a member of a cell, and counts those from rows before its own: that is its place
 *
 * so that reads are nearly and writes wholly side by side. Rows after the particles are padding and stay where they are;
 * the last workgroup copies them.
 */
export function permuteKernel(
  types: readonly string[],
  { shape, packs, notes }: FirstPass,
): KernelSource {
  const { lanes, bits } = shape;
  return {
    label: 'sort: permute',
    about: `Second step of a sort: every block moves to the new order. A workgroup takes a tile of cells.
  scan      counts of cells become first rows
  walk      chains become lists of members, side by side
  move      each member goes to its cell, there by old row: the order does not depend on atomics${packs ? '\n  pack      positions in half the memory, for the search that follows' : ''}`,
    workgroupSize: lanes,
    buffers: [
      write('scratch', 'array<u32>'),
      write('start', 'array<u32>'),
      ...(packs === 'apart' ? [write('candidates', 'array<vec2u>')] : []),
      ...blocksOf(types),
    ],
    params: {
      dims: 'vec4i',
      ...scanParams,
      count: 'u32',
      rows: 'u32',
      earlier: 'u32',
      members: 'u32',
      place: 'u32',
      ...(packs ? packingText.params : {}),
    },
    declarations: `${cellWgsl}${scanDeclarations(shape)}${packs ? packingText.declarations : ''}`,
    body: `${scanBody(shape)}${walk(shape)}
  storageBarrier();
  workgroupBarrier();
  // Move: a thread takes a member of a cell and counts those from rows before its own.
  var row = firsts[0] + lane;
  let end = select(firsts[${2 ** bits}], P.rows, group + 1u == P.tiles);
  for (var left = (max(end, row) - row + ${lanes - 1}u) / ${lanes}u; left > 0u; left--) {
    var old = row;
    if (row < P.count) { old = scratch[P.members + row]; }
    // All rows are under way while the thread counts.
    ${lines(types, (k) => `let row_${k} = before_${k}[old];`)}
    var to = row;
    if (row < P.count) {
      let own = linearCell(unpackCell(row_0.w)) - group * ${2 ** bits}u;
      to = firsts[own];
      var member = P.members + to;
      for (var others = firsts[own + 1u] - to; others > 0u; others--) {
        to += select(0u, 1u, scratch[member] < old);
        member++;
      }
    }
    ${lines(types, (k) => `after_${k}[to] = row_${k};`)}
    ${notes ? 'if (row < P.count) { scratch[P.place + to] = old; }' : ''}
    ${packs ? storeCandidate[packs] : ''}
    row += ${lanes}u;
  }`,
  };
}

const storeCandidate: Readonly<Record<CandidatesPlace, string>> = {
  scratch: `let candidate = packed(row_0);
    scratch[2u * to] = candidate.x;
    scratch[2u * to + 1u] = candidate.y;`,
  apart: 'candidates[to] = packed(row_0);',
};

/** Writes the members of the thread's own cells, in the order of the chains; these are walked side by side. */
function walk(shape: TileShape): string {
  const eachCell = eachCellOf(shape);
  return `
  // Walk the chains of the thread's own cells.
  ${eachCell((k) => `var other_${k} = last_${k};`)}
  var longest = 0u;
  ${eachCell((k) => `longest = max(longest, count_${k});`)}
  for (var left = longest; left > 0u; left--) {
    ${eachCell(
      (k) => `if (left <= count_${k}) {
      scratch[P.members + first_${k + 1} - left] = other_${k};
      other_${k} = scratch[P.earlier + other_${k}];
    }`,
    )}
  }`;
}

/** Moves more blocks from the rows that the first kernel has noted. */
export const permuteMoreKernel = (types: readonly string[]): KernelSource => ({
  label: 'sort: permute more',
  about: 'Moves more blocks by the rows that the first kernel noted.',
  workgroupSize: MORE_LANES,
  buffers: [read('scratch', 'array<u32>'), ...blocksOf(types)],
  params: { count: 'u32', rows: 'u32', place: 'u32' },
  body: `
  if (index >= P.rows) { return; }
  var old = index;
  if (index < P.count) { old = scratch[P.place + index]; }
  ${lines(types, (k) => `after_${k}[index] = before_${k}[old];`)}`,
});
