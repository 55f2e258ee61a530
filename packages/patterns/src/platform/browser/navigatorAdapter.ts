import {
  describeAdapter,
  type FoundAdapter,
  foundAdapter,
  isSoftware,
  noAdapter,
} from '../../gpu/device/adapterInfo.js';

/** Asks the browser for an adapter: hardware first, then, only when allowed, the software adapter. */
export async function requestAdapter(allowSoftware: boolean): Promise<FoundAdapter> {
  const { gpu } = navigator as { gpu?: GPU };
  if (!gpu)
    return noAdapter(
      globalThis.isSecureContext
        ? 'this browser has no WebGPU'
        : 'WebGPU needs a page from https or from localhost',
    );
  const adapter =
    (await gpu.requestAdapter({ powerPreference: 'high-performance' })) ??
    (allowSoftware ? await gpu.requestAdapter({ forceFallbackAdapter: true }) : null);
  if (!adapter) return noAdapter('the browser offers no WebGPU adapter');
  if (isSoftware(adapter) && !allowSoftware)
    return noAdapter(
      `the only adapter is in software (${describeAdapter(adapter)}), which is slower than the CPU engine: set globalThis.corpuscle = { CORPUSCLE_SOFTWARE_GPU: '1' } to use it all the same`,
    );
  return foundAdapter(adapter);
}
