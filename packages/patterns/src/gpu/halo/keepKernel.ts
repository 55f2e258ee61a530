import type { FieldBlock, Grid } from '@corpuscle/core';
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

/** Leaves in the lists of a halo of all own particles the neighbors of these: those of ghosts are not known here. */
const keepOwn: KernelSource = {
  label: 'halo: keep neighborhoods',
  about: 'Leaves ghosts without neighbors, and marks the particles of the rank, one thread a row.',
  workgroupSize: 128,
  buffers: [
    { name: 'isGhost', type: 'array<u32>', access: 'read', holds: '1 for the rows of ghosts' },
    { name: 'counts', type: 'array<u32>', access: 'read_write' },
    { name: 'isOwn', type: 'array<u32>', access: 'read_write', holds: '0 for the rows of ghosts' },
  ],
  params: { count: 'u32' },
  body: `
  if (index < P.count) {
    isOwn[index] = 1u - isGhost[index];
    if (isGhost[index] == 1u) { counts[index] &= 0x80000000u; }
  }`,
};

/** Neighbors of ghosts leave the lists. @param whole the block that tells the particles of the rank from ghosts */
export function keepNeighborhoods(
  { gpu, neighbors, residency }: CallRunner,
  buffers: HaloBuffers,
  seen: Grid,
  isGhost: GPUBuffer,
  whole: FieldBlock,
): void {
  const { count } = seen;
  const { counts } = neighbors.lists(seen)!;
  const isOwn = residency.ensure(whole, count).buffer;
  const bound = [isGhost, counts.buffer, isOwn];
  gpu.stream.dispatchThreads(buffers.kernel(keepOwn), bound, { count }, count);
  residency.written(whole);
}

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
