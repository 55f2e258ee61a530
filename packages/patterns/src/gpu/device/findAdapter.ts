import { host } from '@corpuscle/core/platform';
import { requestAdapter } from '#patterns/platform';
import type { AdapterOptions, FoundAdapter, GpuInfo } from './adapterInfo.js';

export type { AdapterOptions, FoundAdapter, GpuInfo } from './adapterInfo.js';

/**
 * Looks for an adapter: hardware first, then, only when allowed, the software adapter of the npm package
 * `@sparticuz/chromium` (x64 Linux). A page has the adapters of its browser. Never throws; `info.reason` says why there is none.
 */
export async function findAdapter(options: AdapterOptions = {}): Promise<FoundAdapter> {
  const isAsked = host.environment('CORPUSCLE_SOFTWARE_GPU') === '1';
  return requestAdapter(options.software ?? isAsked);
}

/**
 * What the machine's GPU is, without opening a device.
 * @example
 * const { available, adapter, reason } = await probeGpu();
 */
export async function probeGpu(options: AdapterOptions = {}): Promise<GpuInfo> {
  return (await findAdapter(options)).info;
}
