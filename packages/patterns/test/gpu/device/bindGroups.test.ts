import { expect, it } from 'vitest';
import { BindGroups } from '../../../src/gpu/device/BindGroups.js';
import type { GpuDevice } from '../../../src/gpu/device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../../../src/gpu/device/GpuKernel.js';

it('large lists bind each of their buffers once, and their kernel gets one text for segments', () => {
  const made = { groups: 0, texts: 0 };
  const gpu = {
    device: { createBindGroup: () => made.groups++ },
    segmentBytes: 64,
    segmentsOf: ({ size }: GPUBuffer) => Math.ceil(size / 64),
    compiled: (source: KernelSource) => {
      made.texts++;
      return { source, label: source.label };
    },
  } as unknown as GpuDevice;
  const buffers = ['position', 'entries'].map(
    (name) => ({ name, type: 'array<vec4u>', access: 'read' }) as const,
  );
  const source = { label: 'walk', buffers, params: {}, body: 'let row = position[0];' };
  const kernel = { source, bound: [], usesValues: false, paramBytes: 256 } as unknown as GpuKernel;
  const bufferOf = (size: number) => ({ size }) as GPUBuffer;
  const positions = [bufferOf(100), bufferOf(100)];
  const lists = Array.from({ length: 40 }, () => bufferOf(64));
  const groups = new BindGroups(gpu, bufferOf(256));
  for (let step = 0; step < 4; step++)
    for (const entries of lists) groups.of(kernel, [positions[step % 2]!, entries]);
  expect(made).toEqual({ groups: 80, texts: 1 });
});
