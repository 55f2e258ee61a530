import type { KernelSource } from '../device/GpuKernel.js';
import { packingText } from '../neighbours/candidates.js';

const LANES = 128;

/** Writes each particle's row and cell to the place that its arrival gives it among the particles of the cell. */
export const membersKernel: KernelSource = {
  label: 'sort: members',
  workgroupSize: LANES,
  buffers: [
    { name: 'cellOf', type: 'array<u32>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'arrival', type: 'array<u32>', access: 'read' },
    { name: 'members', type: 'array<vec2u>', access: 'read_write' },
  ],
  params: { count: 'u32' },
  body: `
  if (index >= P.count) { return; }
  let cell = cellOf[index];
  members[start[cell] + arrival[index]] = vec2u(index, cell);`,
};

/**
 * Moves blocks, whose rows have these WGSL types, to their new rows. A thread takes the particle at one place of `members`;
 * its new row is that place, but for members of the cell that stand on the wrong side of it. Rows behind the particles are
 * padding and stay where they are.
 *
 * @param packs whether the first block is that of positions, and they are wanted as candidates of a search too.
 */
export function permuteKernel(types: readonly string[], packs: boolean): KernelSource {
  const read = (name: string, type: string) => ({ name, type, access: 'read' }) as const;
  const write = (name: string, type: string) => ({ name, type, access: 'read_write' }) as const;
  const moves = types.map((_, k) => `after_${k}[to] = before_${k}[old];`);
  if (packs) moves.unshift('candidates[to] = packed(before_0[old]);');
  return {
    label: 'sort: permute',
    workgroupSize: LANES,
    buffers: [
      read('members', 'array<vec2u>'),
      ...(packs ? packingText.buffers : []),
      ...types.flatMap((type, k) => [
        read(`before_${k}`, `array<${type}>`),
        write(`after_${k}`, `array<${type}>`),
      ]),
    ],
    params: { count: 'u32', rows: 'u32', ...(packs ? packingText.params : {}) },
    declarations: packs ? packingText.declarations : '',
    body: `
  if (index >= P.rows) { return; }
  var old = index;
  var to = index;
  if (index < P.count) {
    let own = members[index];
    old = own.x;
    for (var k = index; k > 0u; k--) {
      let other = members[k - 1u];
      if (other.y != own.y) { break; }
      to -= select(0u, 1u, other.x > own.x);
    }
    // Counted down, since Tint adds a counter to loops with another bound than a constant.
    for (var left = P.count - 1u - index; left > 0u; left--) {
      let other = members[P.count - left];
      if (other.y != own.y) { break; }
      to += select(0u, 1u, other.x < own.x);
    }
  }
  ${moves.join('\n  ')}`,
  };
}
