import type { Unavailable } from '../engine/registry.js';
import type { Precision } from '../plan/chooseBackend.js';
import { type OpenDeviceOptions, openDevice } from './device/openDevice.js';
import { preparePrecision } from './double/preparePrecision.js';
import { GpuEngine } from './GpuEngine.js';

/** The device of an engine, and its precision. */
export interface GpuEngineOptions extends OpenDeviceOptions {
  /** Default 'f32'. 'f64' and 'mixed' compute with pairs of floats, where the device does that exactly. */
  readonly precision?: Precision;
  /** Whether runs must repeat to the bit, whatever results they are asked for on the way. Default false. */
  readonly deterministic?: boolean;
  /** Seconds after which work without progress is taken to have no end, and the device to have failed. Default Infinity: stderr tells. */
  readonly kernelLimit?: number;
}

/** Opens a GPU and makes an engine on it, which has f32 and the precision asked for if it can; or says why there is none. */
export async function openGpuEngine(options: GpuEngineOptions): Promise<GpuEngine | Unavailable> {
  const opened = await openDevice(options);
  if (!opened.gpu) return { unavailable: opened.reason };
  opened.gpu.watch.limit = options.kernelLimit ?? Number.POSITIVE_INFINITY;
  const found = await preparePrecision(opened.gpu, options.precision ?? 'f32');
  return new GpuEngine(opened.gpu, found, options.deterministic);
}
