import { type CompiledText, type KernelSource, uniformBytes } from './GpuKernel.js';

const BINDINGS = { read: 'read-only-storage', read_write: 'storage', uniform: 'uniform' } as const;

/** GPUShaderStage.COMPUTE, which is a global only after Dawn has been loaded. */
const COMPUTE = 4;

const ofDevices = new WeakMap<GPUDevice, Map<string, CompiledText>>();

/** Texts that a device has compiled: engines that share it share them. */
export function textsOf(device: GPUDevice): Map<string, CompiledText> {
  let texts = ofDevices.get(device);
  if (!texts) {
    texts = new Map();
    ofDevices.set(device, texts);
  }
  return texts;
}

/** Compiles the text of a kernel; what is wrong with it is reported through the device's error event. */
export function compileText(
  device: GPUDevice,
  text: string,
  source: KernelSource,
): Omit<CompiledText, 'number'> {
  const { label } = source;
  const bufferLayout = device.createBindGroupLayout({
    label,
    entries: [
      ...source.buffers.map(({ access }, binding) => ({
        binding,
        visibility: COMPUTE,
        buffer: { type: BINDINGS[access] },
      })),
      {
        binding: source.buffers.length,
        visibility: COMPUTE,
        buffer: {
          type: 'uniform',
          hasDynamicOffset: true,
          minBindingSize: uniformBytes(source),
        },
      },
    ],
  });
  const pipeline = device.createComputePipeline({
    label,
    layout: device.createPipelineLayout({ label, bindGroupLayouts: [bufferLayout] }),
    compute: { module: device.createShaderModule({ label, code: text }), entryPoint: 'main' },
  });
  return { pipeline, bufferLayout };
}
