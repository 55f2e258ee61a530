import type { EngineRegistration } from '../engine/registry.js';

/** WebGPU. The engine is loaded on first need, so that CPU runs never pay for Dawn. */
export const webgpu: EngineRegistration = {
  name: 'webgpu',
  automatic: true,
  defaultPrecision: 'f32',
  async open({ requested, device, precision, deterministic, kernelLimit }) {
    if (requested === 'auto' && !device && precision === 'f64')
      return {
        unavailable:
          'auto leaves precision f64 to the CPU, whose doubles have 53 bits (on WebGPU 48)',
      };
    const { openGpuEngine } = await import('./openGpuEngine.js');
    return openGpuEngine({ device, precision, deterministic, kernelLimit });
  },
};
