import type { ResultPlaces } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { chunksOf } from '../wgsl/combinePartials.js';
import { BLOCK_ROWS } from '../wgsl/gatherPartials.js';
import type { DeviceResult } from '../wgsl/reduceWgsl.js';

/** A result of a reduction that is the end of another kernel. */
export interface FoldedResult extends DeviceResult {
  /** Where it goes among the values of the context. */
  readonly place: number;
}

/** Results that go into values. @param names of all results of the call, in the order of their places. */
export function foldedResults(
  results: readonly DeviceResult[],
  { values, at }: ResultPlaces,
  names: readonly string[],
): readonly FoldedResult[] {
  const first = values.parameter(at);
  return results.map((one) => ({ ...one, place: first + names.indexOf(one.name) }));
}

/**
 * Results of reductions that are the end of a kernel. Its workgroups leave partial results, which the next pass over values
 * combines before anything else is reduced:
 *
 *   partials[k · groups + g]   result k of workgroup g, two words
 */
export class FoldedSums {
  /** Whose reductions they are. */
  readonly operator: string;
  readonly results: readonly FoldedResult[];
  /** Workgroups that leave partial results. */
  groups = 0;
  /** Those of 128 rows. */
  perBlock = 1;
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice, operator: string, results: readonly FoldedResult[]) {
    this.#gpu = gpu;
    this.operator = operator;
    this.results = results;
  }

  /** Room for the partial results of workgroups that have some rows each, a power of two up to 128. */
  reserve(rows: number, perGroup: number): GPUBuffer {
    const groups = Math.ceil(rows / perGroup);
    this.groups = groups;
    this.perBlock = BLOCK_ROWS / perGroup;
    const { values, stream } = this.#gpu;
    const bytes = 8 * this.results.length * groups;
    // The end of another step may wait to combine what a smaller buffer holds.
    if (bytes > values.partials.bytes) stream.recordWaiting();
    return values.partials.reserve(bytes);
  }

  /** Workgroups that combine them. */
  get chunks(): number {
    return chunksOf(this.groups, this.perBlock);
  }

  get partials(): GPUBuffer {
    return this.#gpu.values.partials.buffer;
  }
}
