import type { Grid } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import type { KernelSource } from '../device/GpuKernel.js';
import type { EntryFormat } from '../neighbors/EntryFormat.js';
import type { HaloBuffers } from './HaloBuffers.js';

/**
 * Leaves in the lists of a halo the pairs of a border particle, as the central one, and a ghost. Pairs of two border particles are met
 * in the own grid, and pairs of two ghosts by their owners.
 */
export function keepKernel(format: EntryFormat): KernelSource {
  const source = known.get(format) ?? sourceFor(format);
  known.set(format, source);
  return source;
}

const known = new WeakMap<EntryFormat, KernelSource>();

const sourceFor = ({ rowBits }: EntryFormat): KernelSource => ({
  label: 'halo: keep pairs of ghosts',
  about: 'Leaves pairs of a border particle and a ghost in the lists, one thread a row.',
  workgroupSize: 128,
  buffers: [
    { name: 'isGhost', type: 'array<u32>', access: 'read', holds: '1 for the rows of ghosts' },
    { name: 'counts', type: 'array<u32>', access: 'read_write' },
    { name: 'entries', type: 'array<vec4u>', access: 'read_write' },
  ],
  params: { first: 'u32', end: 'u32', count: 'u32', stride: 'u32' },
  body: `
  let own = P.first + index;
  if (own < P.end) {
    let listed = counts[own];
    let found = select(listed & 0x7fffffffu, 0u, isGhost[own] == 1u);
    var kept = 0u;
    var pack = vec4u(0u);
    for (var left = found; left > 0u; left--) {
      let k = found - left;
      let entry = entries[(k >> 2u) * P.stride + index][k & 3u];
      if (isGhost[entry & ${2 ** rowBits - 1}u] == 1u) {
        pack[kept & 3u] = entry;
        kept++;
        if ((kept & 3u) == 0u) { entries[((kept >> 2u) - 1u) * P.stride + index] = pack; }
      }
    }
    // Dummies fill up the last vector.
    if ((kept & 3u) != 0u) {
      for (var k = kept & 3u; k < 4u; k++) { pack[k] = P.count; }
      entries[(kept >> 2u) * P.stride + index] = pack;
    }
    counts[own] = kept | (listed & 0x80000000u);
  }`,
});

/** Pairs of two border particles, or of two ghosts, leave the lists. */
export function keepGhostPairs(
  { gpu, neighbors }: CallRunner,
  buffers: HaloBuffers,
  seen: Grid,
  isGhost: GPUBuffer,
): void {
  const { count } = seen;
  const { chunks, counts, format, stride } = neighbors.lists(seen)!;
  const kernel = buffers.kernel(keepKernel(format));
  for (const { first, end, entries } of chunks) {
    const bound = [isGhost, counts.buffer, entries.buffer];
    gpu.stream.dispatchThreads(kernel, bound, { first, end, count, stride }, end - first);
  }
}
