const LIMITS = [
  'maxBufferSize',
  'maxStorageBufferBindingSize',
  'maxStorageBuffersPerShaderStage',
  'maxComputeWorkgroupStorageSize',
  'maxComputeWorkgroupsPerDimension',
] as const;

/** Limits of a device that calls look at. */
export type DeviceLimits = Readonly<Record<(typeof LIMITS)[number], number>>;

export const limitsOf = ({ limits }: GPUDevice): DeviceLimits =>
  Object.fromEntries(LIMITS.map((name) => [name, limits[name]])) as DeviceLimits;
