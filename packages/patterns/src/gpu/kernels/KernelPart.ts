import type { WgslField } from '@corpuscle/functor/wgsl';
import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';
import type { TreeShape } from '../wgsl/treeWgsl.js';
import type { FunctorTables } from './FunctorTables.js';

/** Threads of a workgroup of kernels over particles. */
export const LANES = 128;

/** Which of them hold the sums of particles that some threads share each. */
export const treeOf = (lanes: number): TreeShape => ({ leaves: LANES / lanes, threads: LANES });

/**
 * One of several things that a kernel does to each particle:
 *
 *   before                      all threads
 *   if (it has a particle) {
 *     particle                  on the rows `row_<block>`, loaded before and stored after
 *   }
 *   workgroup                   all threads, in uniform control flow
 *   late                        one thread when all others have come there
 */
export interface KernelPart {
  /** Parameters of its functors, one for each. */
  readonly tables: readonly FunctorTables[];
  readonly params: Readonly<Record<string, ParamType>>;
  /** Buffers besides those of blocks. */
  readonly buffers: readonly KernelBuffer[];
  /** Structs, functions and workgroup memory. */
  readonly declarations: string;
  /** Fields that it uses of the particle. */
  readonly fields: readonly WgslField[];
  /** Results of which workgroups leave partial ones. */
  readonly results: readonly DeviceResult[];
  readonly before: string;
  readonly particle: string;
  readonly workgroup: string;
  readonly late: string;
}

/** Parts as one, in their order. */
export function joinedParts(parts: readonly Partial<KernelPart>[]): KernelPart {
  const text = (
    name: 'declarations' | 'before' | 'particle' | 'workgroup' | 'late',
    between: string,
  ) => parts.flatMap((part) => part[name] || []).join(between);
  return {
    tables: parts.flatMap(({ tables = [] }) => tables),
    params: Object.assign({}, ...parts.map(({ params }) => params)),
    buffers: parts.flatMap(({ buffers = [] }) => buffers),
    declarations: text('declarations', '\n'),
    fields: parts.flatMap(({ fields = [] }) => fields),
    results: parts.flatMap(({ results = [] }) => results),
    before: text('before', '\n  '),
    particle: text('particle', '\n    '),
    workgroup: text('workgroup', '\n  '),
    late: text('late', ''),
  };
}
