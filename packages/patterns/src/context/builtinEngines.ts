import { CpuEngine, type CpuEngineOptions } from '../cpu/CpuEngine.js';
import type { HostEngine } from '../engine/HostEngine.js';
import { registerEngine } from '../engine/registry.js';
import { webgpu } from '../gpu/registration.js';

registerEngine(webgpu);

/** The engine that every context has. */
export const openHost = (options: CpuEngineOptions): HostEngine => new CpuEngine(options);

/** A device for several simulations. The engine is loaded on first need. */
export const openSharedDevice = async (count: number) =>
  (await import('../gpu/replicas/openSharedDevice.js')).openSharedDevice(count);
