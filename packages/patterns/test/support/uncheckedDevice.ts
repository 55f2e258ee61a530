import { findAdapter } from '../../src/gpu/device/findAdapter.js';

const KEY = Symbol.for('corpuscle.test.uncheckedInstance');
const kept = globalThis as { [KEY]?: GPU };

/**
 * An adapter whose driver checks no bounds of what kernels read and write.
 *
 * Dawn's instance is kept, as findAdapter keeps its own.
 */
export async function uncheckedAdapter(): Promise<GPUAdapter> {
  await findAdapter({ software: true }); // makes the software driver known
  const { create } = await import('webgpu');
  const usual = ['timestamp_quantization', 'use_vulkan_zero_initialize_workgroup_memory_extension'];
  kept[KEY] ??= create([
    'enable-dawn-features=disable_robustness',
    `disable-dawn-features=${usual.join()}`,
  ]);
  return (await kept[KEY].requestAdapter())!;
}

/** A device of it. Its name keeps it apart from others that tests lend each other. */
export const uncheckedDevice = async (): Promise<GPUDevice> =>
  (await uncheckedAdapter()).requestDevice({ label: 'unchecked' });

/** What lies beyond a binding of 256 bytes after a store there. */
export async function writtenBehind(device: GPUDevice): Promise<number> {
  const { STORAGE, COPY_SRC, COPY_DST, UNIFORM, MAP_READ } = GPUBufferUsage;
  const buffer = device.createBuffer({ size: 1024, usage: STORAGE | COPY_SRC });
  const place = device.createBuffer({ size: 16, usage: UNIFORM | COPY_DST });
  const out = device.createBuffer({ size: 4, usage: MAP_READ | COPY_DST });
  device.queue.writeBuffer(place, 0, new Uint32Array([100, 0, 0, 0]));
  const code = `
    @group(0) @binding(0) var<storage, read_write> values: array<u32>;
    @group(0) @binding(1) var<uniform> place: vec4u;
    @compute @workgroup_size(1) fn main() { values[place.x] = 7u; }`;
  const module = device.createShaderModule({ code });
  const pipeline = device.createComputePipeline({ layout: 'auto', compute: { module } });
  const entries = [
    { binding: 0, resource: { buffer, size: 256 } },
    { binding: 1, resource: { buffer: place } },
  ];
  const group = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(0, group);
  pass.dispatchWorkgroups(1);
  pass.end();
  encoder.copyBufferToBuffer(buffer, 400, out, 0, 4);
  device.queue.submit([encoder.finish()]);
  await out.mapAsync(GPUMapMode.READ);
  return new Uint32Array(out.getMappedRange())[0]!;
}
