/** What `corpuscle info` says about the GPU. */
export interface GpuInfo {
  readonly available: boolean;
  /** One adapter in words, empty when there is none. */
  readonly adapter: string;
  readonly software: boolean;
  /** Why there is no adapter; empty when there is one. */
  readonly reason: string;
  readonly features: readonly string[];
  readonly limits: Readonly<Record<string, number>>;
}

/** Which adapters are taken. */
export interface AdapterOptions {
  /** Allow a software adapter when there is no hardware. Default: the environment variable CORPUSCLE_SOFTWARE_GPU=1. */
  readonly software?: boolean;
}

/** What a search for an adapter gives. */
export interface FoundAdapter {
  readonly adapter: GPUAdapter | null;
  readonly info: GpuInfo;
}

/** An adapter in words. */
export function describeAdapter(adapter: GPUAdapter): string {
  const { vendor, architecture, device, description } = adapter.info;
  return (
    description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unnamed adapter'
  );
}

/** Whether an adapter computes on the processor. */
export function isSoftware(adapter: GPUAdapter): boolean {
  const { vendor, architecture, device, description } = adapter.info;
  const text = [vendor, architecture, device, description].join(' ');
  return (
    adapter.info.isFallbackAdapter ||
    /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(text)
  );
}

/** An adapter with what it offers. */
export function foundAdapter(adapter: GPUAdapter): FoundAdapter {
  const limits: Record<string, number> = {};
  for (const name in adapter.limits) {
    const value: unknown = adapter.limits[name as keyof GPUSupportedLimits];
    if (typeof value === 'number') limits[name] = value;
  }
  const info = {
    available: true,
    adapter: describeAdapter(adapter),
    software: isSoftware(adapter),
    reason: '',
    features: [...adapter.features].sort(),
    limits,
  };
  return { adapter, info };
}

/** There is no adapter, for this reason. */
export const noAdapter = (reason: string): FoundAdapter => ({
  adapter: null,
  info: { available: false, adapter: '', software: false, reason, features: [], limits: {} },
});
