import type { KernelSource } from '../device/GpuKernel.js';
import { packingText } from '../neighbours/candidates.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';

const LANES = 128;

const read = (name: string, type: string) => ({ name, type, access: 'read' }) as const;
const write = (name: string, type: string) => ({ name, type, access: 'read_write' }) as const;

const blocksOf = (types: readonly string[]) =>
  types.flatMap((type, k) => [
    read(`before_${k}`, `array<${type}>`),
    write(`after_${k}`, `array<${type}>`),
  ]);

const lines = (types: readonly string[], text: (k: number) => string): string =>
  types.map((_, k) => text(k)).join('\n  ');

/** What the kernel does besides moving blocks. */
export interface FirstPass {
  /** Positions become candidates of a search too. */
  readonly packs: boolean;
  /** New rows are noted for kernels that move more blocks. */
  readonly notes: boolean;
}

/**
 * Moves positions and more blocks, whose rows have these WGSL types, to their new rows. A thread takes a particle, walks
 * through those that arrived in its cell, and counts those from rows before its own. Rows behind the particles are padding
 * and stay where they are.
 */
export function permuteKernel(types: readonly string[], { packs, notes }: FirstPass): KernelSource {
  return {
    label: 'sort: permute',
    workgroupSize: LANES,
    buffers: [write('scratch', 'array<u32>'), read('start', 'array<u32>'), ...blocksOf(types)],
    params: {
      dims: 'vec4i',
      count: 'u32',
      rows: 'u32',
      last: 'u32',
      earlier: 'u32',
      place: 'u32',
      ...(packs ? packingText.params : {}),
    },
    declarations: `${cellWgsl}${packs ? packingText.declarations : ''}`,
    body: `
  if (index >= P.rows) { return; }
  // All rows are under way while the thread walks.
  ${lines(types, (k) => `let row_${k} = before_${k}[index];`)}
  var to = index;
  if (index < P.count) {
    let cell = linearCell(unpackCell(row_0.w));
    let first = start[cell];
    to = first;
    var other = scratch[P.last + cell];
    for (var left = start[cell + 1u] - first; left > 0u; left--) {
      to += select(0u, 1u, other < index);
      other = scratch[P.earlier + other];
    }
  }
  ${lines(types, (k) => `after_${k}[to] = row_${k};`)}
  ${notes ? 'if (index < P.count) { scratch[P.place + index] = to; }' : ''}
  ${
    packs
      ? `let candidate = packed(row_0);
  scratch[2u * to] = candidate.x;
  scratch[2u * to + 1u] = candidate.y;`
      : ''
  }`,
  };
}

/** Moves more blocks to the rows that the first kernel has noted. */
export const permuteMoreKernel = (types: readonly string[]): KernelSource => ({
  label: 'sort: permute more',
  workgroupSize: LANES,
  buffers: [read('scratch', 'array<u32>'), ...blocksOf(types)],
  params: { count: 'u32', rows: 'u32', place: 'u32' },
  body: `
  if (index >= P.rows) { return; }
  var to = index;
  if (index < P.count) { to = scratch[P.place + index]; }
  ${lines(types, (k) => `after_${k}[to] = before_${k}[index];`)}`,
});
