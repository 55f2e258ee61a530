import { CorpuscleError } from '@corpuscle/core';
import { type AdapterOptions, findAdapter, type GpuInfo } from './findAdapter.js';
import { GpuDevice } from './GpuDevice.js';

export interface OpenDeviceOptions extends AdapterOptions {
  /** A device to use instead of asking for one; it is not destroyed by `close`. */
  readonly device?: GPUDevice;
}

const WANTED_FEATURES: readonly GPUFeatureName[] = ['timestamp-query', 'subgroups'];
const WANTED_LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeInvocationsPerWorkgroup',
  'maxComputeWorkgroupSizeX',
  'maxComputeWorkgroupSizeY',
  'maxComputeWorkgroupSizeZ',
  'maxComputeWorkgroupsPerDimension',
  'maxUniformBufferBindingSize',
] as const;

/**
 * Opens a device with all that its adapter offers (limits are not given unless asked for).
 * @returns the device, or why there is none as one clause.
 */
export async function openDevice(
  options: OpenDeviceOptions = {},
): Promise<{ gpu: GpuDevice } | { gpu: null; reason: string }> {
  if (options.device)
    return { gpu: new GpuDevice(options.device, describeDevice(options.device), false) };
  const { adapter, info } = await findAdapter(options);
  if (!adapter) return { gpu: null, reason: info.reason };
  const requiredLimits: Record<string, number> = {};
  for (const name of WANTED_LIMITS) requiredLimits[name] = adapter.limits[name];
  try {
    const device = await adapter.requestDevice({
      label: 'corpuscle',
      requiredFeatures: WANTED_FEATURES.filter((feature) => adapter.features.has(feature)),
      requiredLimits,
    });
    return { gpu: new GpuDevice(device, info, true) };
  } catch (error) {
    return {
      gpu: null,
      reason: `the adapter '${info.adapter}' gives no device (${(error as Error).message.split('\n')[0]})`,
    };
  }
}

function describeDevice(device: GPUDevice): GpuInfo {
  const limits: Record<string, number> = {};
  for (const name of WANTED_LIMITS) limits[name] = device.limits[name];
  if (limits.maxComputeInvocationsPerWorkgroup! < 128) {
    throw new CorpuscleError(
      'INVALID_VALUE',
      'the device allows fewer than 128 invocations in a workgroup',
    );
  }
  const { vendor, architecture, description } = device.adapterInfo ?? {};
  return {
    available: true,
    adapter: description || [vendor, architecture].filter(Boolean).join(' ') || 'a given device',
    software: false,
    reason: '',
    features: [...device.features].sort(),
    limits,
  };
}
