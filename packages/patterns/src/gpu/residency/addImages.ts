import type { KernelSource } from '../device/GpuKernel.js';

/** Adds the boxes that an upload has taken off positions to image flags, one thread a particle. */
export const addImages: KernelSource = {
  label: 'upload: image flags',
  about: 'Adds the boxes that an upload has taken off positions to image flags.',
  workgroupSize: 128,
  buffers: [
    { name: 'flags', type: 'array<vec4i>', access: 'read_write' },
    { name: 'boxes', type: 'array<vec4i>', access: 'read', holds: 'boxes that were taken off' },
  ],
  params: { first: 'u32', count: 'u32' },
  body: `
  if (index < P.count) { flags[P.first + index] += boxes[index]; }`,
};
