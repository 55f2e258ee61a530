import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import { withValues } from '../kernels/withValues.js';
import type { ResidentTwin } from '../resident/ResidentTwin.js';
import { residentSource } from '../resident/residentSource.js';
import { ofReplica } from './replicaSource.js';

/** What takes many steps of a replica, whose lists are built in place. */
export function manySteps({ stages, kernels }: ResidentTwin, { build }: GpuKernel): KernelSource {
  const bytes = kernels.map(({ paramBytes }) => paramBytes);
  return withValues(residentSource(stages, build, bytes, ofReplica));
}
