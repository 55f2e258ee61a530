import type { GPU, IGPUKernelSettings, IKernelRunShortcut } from 'gpu.js';
import type { KernelSource } from './print/kernelSource.js';
import { loopLimit } from './print/loopLimit.js';

/** A compiled kernel: `count` threads, four results each. */
export type GatherKernel = (
  count: number,
  ...args: readonly (Float32Array | number)[]
) => ArrayLike<ArrayLike<number>>;

/** Compiles kernel source; arguments and the number of threads may change from call to call. */
export function compileKernel(gpu: GPU, { text, functions }: KernelSource): GatherKernel {
  // Its types lack settings that it has: functions as text, the limit of loops.
  const settings = {
    functions: [...functions],
    precision: 'single',
    dynamicOutput: true,
    dynamicArguments: true,
    loopMaxIterations: loopLimit,
    tactic: 'precision',
  } as object as IGPUKernelSettings;
  const kernel: IKernelRunShortcut = gpu.createKernel(text, settings);
  return (count, ...args) => {
    kernel.setOutput([count]);
    return kernel(...(args as never[])) as unknown as ArrayLike<ArrayLike<number>>;
  };
}
