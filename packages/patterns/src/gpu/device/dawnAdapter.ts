import process from 'node:process';
import {
  describeAdapter,
  type FoundAdapter,
  foundAdapter,
  isSoftware,
  noAdapter,
} from './adapterInfo.js';
import { loadDawn } from './loadDawn.js';
import { loadSharedLibrary, unpackSwiftShader, useSwiftShader } from './swiftShader.js';

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
const WITHOUT_IN_SOFTWARE = [ROUNDED_CLOCK, ZERO_BY_DRIVER];

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

async function findHardware(dawn: Dawn, allowSoftware: boolean): Promise<FoundAdapter> {
  const kept = instances();
  if (kept.hardware === undefined) {
    try {
      kept.hardware = hasDriverLoader() ? createInstance(dawn, [ROUNDED_CLOCK]) : null;
    } catch (error) {
      return noAdapter(`WebGPU could not be started (${(error as Error).message.split('\n')[0]})`);
    }
  }
  if (!kept.hardware)
    return noAdapter('this machine has no Vulkan loader (libvulkan.so.1): install a GPU driver');
  const adapter = await kept.hardware.requestAdapter({ powerPreference: 'high-performance' });
  if (!adapter) return noAdapter('the graphics driver offers no WebGPU adapter');
  if (!isSoftware(adapter)) return foundAdapter(adapter);
  if (!allowSoftware) {
    return noAdapter(
      `the only adapter is in software (${describeAdapter(adapter)}), which is slower than the CPU engine: set CORPUSCLE_SOFTWARE_GPU=1 to use it all the same`,
    );
  }
  // A process inherits VK_DRIVER_FILES from the one that has started it, and has a software adapter among its drivers.
  kept.software ??= createInstance(dawn, WITHOUT_IN_SOFTWARE);
  return foundAdapter((await kept.software.requestAdapter()) ?? adapter);
}

async function findSoftware(dawn: Dawn): Promise<FoundAdapter> {
  const kept = instances();
  if (kept.software === undefined) {
    kept.software = null;
    const unpacked = unpackSwiftShader();
    if ('reason' in unpacked) kept.softwareReason = unpacked.reason;
    else if (!useSwiftShader(unpacked.directory))
      kept.softwareReason = `the software adapter in ${unpacked.directory} cannot be loaded`;
    else kept.software = createInstance(dawn, WITHOUT_IN_SOFTWARE);
  }
  if (!kept.software) return noAdapter(kept.softwareReason ?? 'there is no software adapter');
  const adapter = await kept.software.requestAdapter();
  if (!adapter) return noAdapter('the software adapter does not start');
  return foundAdapter(adapter);
}

/** Looks for an adapter through Dawn: hardware first, then, only when allowed, the software adapter. */
export async function requestAdapter(allowSoftware: boolean): Promise<FoundAdapter> {
  const dawn = await loadDawn();
  if ('reason' in dawn) return noAdapter(dawn.reason);
  const hardware = await findHardware(dawn, allowSoftware);
  if (hardware.adapter || !allowSoftware) return hardware;
  const software = await findSoftware(dawn);
  return software.adapter
    ? software
    : noAdapter(`${hardware.info.reason}; and ${software.info.reason}`);
}
