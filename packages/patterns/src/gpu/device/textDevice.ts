/** A shader module as a device was given it. */
export interface ShaderText {
  readonly label: string;
  readonly code: string;
}

const textDevices = new WeakSet<GPUDevice>();

/** Whether a device only takes note of kernels. */
export const isTextDevice = (device: GPUDevice): boolean => textDevices.has(device);

/** Limits of a common desktop card. */
const LIMITS = {
  maxBufferSize: 2 ** 31,
  maxStorageBufferBindingSize: 2 ** 31 - 4,
  maxStorageBuffersPerShaderStage: 16,
  maxComputeWorkgroupStorageSize: 32768,
  maxComputeInvocationsPerWorkgroup: 1024,
  maxComputeWorkgroupSizeX: 1024,
  maxComputeWorkgroupSizeY: 1024,
  maxComputeWorkgroupSizeZ: 64,
  maxComputeWorkgroupsPerDimension: 65535,
  maxUniformBufferBindingSize: 65536,
} as const;

/**
 * A WebGPU device that runs nothing: every buffer reads zero, every dispatch is done at once. What an engine would have run
 * is handed to `onShader`, as the very text that a real device compiles. Needs no GPU and no driver.
 *
 * @example
 * const device = textDevice(({ label }) => console.log(label));
 * await using ctx = await createExecutionContext({ backend: 'webgpu', device });
 */
export function textDevice(onShader: (shader: ShaderText) => void): GPUDevice {
  let lose: (info: GPUDeviceLostInfo) => void = () => {};
  const lost = new Promise<GPUDeviceLostInfo>((resolve) => {
    lose = resolve;
  });
  const device = {
    label: 'text',
    limits: LIMITS,
    features: new Set<string>(),
    adapterInfo: { vendor: 'none', architecture: '', description: 'a device that runs nothing' },
    lost,
    queue: { submit() {}, writeBuffer() {}, onSubmittedWorkDone: async () => {} },
    addEventListener() {},
    removeEventListener() {},
    createBuffer: ({ label, size }: GPUBufferDescriptor) => zeros(label ?? '', size),
    createShaderModule({ label, code }: GPUShaderModuleDescriptor) {
      onShader({ label: label ?? '', code });
      return {};
    },
    createBindGroupLayout: () => ({}),
    createPipelineLayout: () => ({}),
    createComputePipeline: () => ({}),
    createBindGroup: () => ({}),
    createCommandEncoder: () => ({ ...commands, beginComputePass: () => pass }),
    destroy: () => lose({ reason: 'destroyed', message: '' } as GPUDeviceLostInfo),
  } as unknown as GPUDevice;
  textDevices.add(device);
  return device;
}

const commands = {
  copyBufferToBuffer() {},
  clearBuffer() {},
  finish: () => ({}),
};

const pass = {
  setPipeline() {},
  setBindGroup() {},
  dispatchWorkgroups() {},
  end() {},
};

/** A buffer without memory: a part that is mapped reads zero. */
const zeros = (label: string, size: number): GPUBuffer =>
  ({
    label,
    size,
    mapAsync: async () => {},
    getMappedRange: (_offset = 0, bytes = size) => new ArrayBuffer(bytes),
    unmap() {},
    destroy() {},
  }) as unknown as GPUBuffer;
