import type { KernelBuffer } from '../device/GpuKernel.js';

/** A buffer of rows that kernels of a halo read. @param holds for readers of the text. @param type of a row */
export const read = (name: string, holds: string, type = 'u32'): KernelBuffer => ({
  name,
  type: `array<${type}>`,
  access: 'read',
  holds,
});

/** One that they write. */
export const written = (name: string, holds: string, type = 'u32'): KernelBuffer => ({
  ...read(name, holds, type),
  access: 'read_write',
});
