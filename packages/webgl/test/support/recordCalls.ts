import { GPU } from 'gpu.js';
import { compileKernel } from '../../src/compileKernel.js';
import { KernelStore } from '../../src/KernelStore.js';
import type { KernelSource } from '../../src/print/kernelSource.js';

/** A kernel call as JSON: what went in, and what gpu.js in mode `webasm` gave. */
export interface RecordedCall {
  readonly source: KernelSource;
  readonly count: number;
  readonly args: readonly (number | readonly number[])[];
  readonly results: readonly (readonly number[])[];
}

/** A kernel store that runs in software and writes down every call. */
export function recordingStore(): { kernels: KernelStore; gpu: GPU; calls: RecordedCall[] } {
  const gpu = new GPU({ mode: 'webasm' });
  const calls: RecordedCall[] = [];
  const kernels = new KernelStore(gpu, (_, source) => {
    const kernel = compileKernel(gpu, source);
    return (count, ...args) => {
      const values = kernel(count, ...args);
      calls.push({
        source,
        count,
        args: args.map((arg) => (typeof arg === 'number' ? arg : Array.from(arg))),
        results: Array.from({ length: count }, (_, row) => Array.from(values[row]!)),
      });
      return values;
    };
  });
  return { kernels, gpu, calls };
}
