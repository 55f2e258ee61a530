import process from 'node:process';
import { loadDawn } from './loadDawn.js';
import { loadSharedLibrary, unpackSwiftShader, useSwiftShader } from './swiftShader.js';

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

export interface FoundAdapter {
  readonly adapter: GPUAdapter | null;
  readonly info: GpuInfo;
}

/**
 * Dawn's instance must outlive every adapter, device and buffer made from it: when the garbage collector takes it,
 * the process hangs or crashes. So it is kept on globalThis, for this process and all copies of this module.
 */
const KEY = Symbol.for('corpuscle.webgpu.instances');

type Dawn = typeof import('webgpu');

interface Instances {
  hardware?: GPU | null;
  software?: GPU | null;
  softwareReason?: string;
}

function instances(): Instances {
  const store = globalThis as unknown as Record<symbol, Instances | undefined>;
  store[KEY] ??= {};
  return store[KEY];
}

/** Times of kernels in steps of a tenth of a millisecond, which is longer than most of them take. */
const ROUNDED_CLOCK = 'timestamp_quantization';
/** SwiftShader compiles one store for each word of workgroup memory that the driver shall zero: half a second a kernel. */
const ZERO_BY_DRIVER = 'use_vulkan_zero_initialize_workgroup_memory_extension';

/** @param without features of Dawn that are turned off. */
function createInstance({ create, globals }: Dawn, without: readonly string[]): GPU {
  // GPUBufferUsage and friends are read as globals by everybody; navigator.gpu is never installed.
  for (const [name, value] of Object.entries(globals)) {
    if (!(name in globalThis))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return create([`disable-dawn-features=${without.join()}`]);
}

/** On Linux Dawn has Vulkan only: without its loader there is nothing to ask, and asking would print a warning. */
function hasDriverLoader(): boolean {
  return process.platform !== 'linux' || loadSharedLibrary('libvulkan.so.1');
}

function describe(adapter: GPUAdapter): string {
  const { vendor, architecture, device, description } = adapter.info;
  return (
    description || [vendor, architecture, device].filter(Boolean).join(' ') || 'unnamed adapter'
  );
}

function isSoftware(adapter: GPUAdapter): boolean {
  const { vendor, architecture, device, description } = adapter.info;
  const text = [vendor, architecture, device, description].join(' ');
  return (
    adapter.info.isFallbackAdapter ||
    /swiftshader|llvmpipe|lavapipe|software|basic render/i.test(text)
  );
}

function describeAll(adapter: GPUAdapter): GpuInfo {
  const limits: Record<string, number> = {};
  for (const name in adapter.limits) {
    const value: unknown = adapter.limits[name as keyof GPUSupportedLimits];
    if (typeof value === 'number') limits[name] = value;
  }
  return {
    available: true,
    adapter: describe(adapter),
    software: isSoftware(adapter),
    reason: '',
    features: [...adapter.features].sort(),
    limits,
  };
}

const none = (reason: string): FoundAdapter => ({
  adapter: null,
  info: { available: false, adapter: '', software: false, reason, features: [], limits: {} },
});

async function findHardware(dawn: Dawn, allowSoftware: boolean): Promise<FoundAdapter> {
  const kept = instances();
  if (kept.hardware === undefined) {
    try {
      kept.hardware = hasDriverLoader() ? createInstance(dawn, [ROUNDED_CLOCK]) : null;
    } catch (error) {
      return none(`WebGPU could not be started (${(error as Error).message.split('\n')[0]})`);
    }
  }
  if (!kept.hardware)
    return none('this machine has no Vulkan loader (libvulkan.so.1): install a GPU driver');
  const adapter = await kept.hardware.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return none('the graphics driver offers no WebGPU adapter');
  if (isSoftware(adapter) && !allowSoftware) {
    return none(
      `the only adapter is in software (${describe(adapter)}), which is slower than the CPU engine: set CORPUSCLE_SOFTWARE_GPU=1 to use it all the same`,
    );
  }
  return { adapter, info: describeAll(adapter) };
}

async function findSoftware(dawn: Dawn): Promise<FoundAdapter> {
  const kept = instances();
  if (kept.software === undefined) {
    kept.software = null;
    const unpacked = unpackSwiftShader();
    if ('reason' in unpacked) kept.softwareReason = unpacked.reason;
    else if (!useSwiftShader(unpacked.directory))
      kept.softwareReason = `the software adapter in ${unpacked.directory} cannot be loaded`;
    else kept.software = createInstance(dawn, [ROUNDED_CLOCK, ZERO_BY_DRIVER]);
  }
  if (!kept.software) return none(kept.softwareReason ?? 'there is no software adapter');
  const adapter = await kept.software.requestAdapter();
  if (!adapter) return none('the software adapter does not start');
  return { adapter, info: describeAll(adapter) };
}

/**
 * Looks for an adapter: hardware first, then, only when allowed, the software adapter of the npm package
 * `@sparticuz/chromium` (x64 Linux). Never throws; `info.reason` says why there is none.
 */
export async function findAdapter(options: AdapterOptions = {}): Promise<FoundAdapter> {
  const allowSoftware = options.software ?? process.env.CORPUSCLE_SOFTWARE_GPU === '1';
  const dawn = await loadDawn();
  if ('reason' in dawn) return none(dawn.reason);
  const hardware = await findHardware(dawn, allowSoftware);
  if (hardware.adapter || !allowSoftware) return hardware;
  const software = await findSoftware(dawn);
  return software.adapter ? software : none(`${hardware.info.reason}; and ${software.info.reason}`);
}

/**
 * What the machine's GPU is, without opening a device.
 *
 * @example
 * const { available, adapter, reason } = await probeGpu();
 */
export async function probeGpu(options: AdapterOptions = {}): Promise<GpuInfo> {
  return (await findAdapter(options)).info;
}
