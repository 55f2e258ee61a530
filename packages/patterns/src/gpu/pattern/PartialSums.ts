import type { ResultPlaces } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { chunksOf } from '../wgsl/combinePartials.js';
import type { DeviceResult, PlacedResult } from '../wgsl/reduceWgsl.js';

/** Results that go into values. @param names of all results of the call, in the order of their places. */
export function placedResults(
  results: readonly DeviceResult[],
  { values, at }: ResultPlaces,
  names: readonly string[],
): readonly PlacedResult[] {
  const first = values.parameter(at);
  return results.map((one) => ({ ...one, place: first + names.indexOf(one.name) }));
}

/**
 * Results of reductions at the end of a kernel. Its workgroups leave partial results, which the next pass over values combines
 * before anything else is reduced:
 *
 *   partials[k · groups + g]   result k of workgroup g, two words
 */
export class PartialSums {
  readonly results: readonly PlacedResult[];
  /** Workgroups that leave partial results. */
  groups = 0;
  /** Those of 128 rows. */
  perBlock = 1;
  readonly #gpu: GpuDevice;

  constructor(gpu: GpuDevice, results: readonly PlacedResult[]) {
    this.#gpu = gpu;
    this.results = results;
  }

  /** Room for the partial results of workgroups. @param perBlock those of 128 rows, a power of two */
  reserve(groups: number, perBlock = 1): GPUBuffer {
    this.groups = groups;
    this.perBlock = perBlock;
    const { values, stream } = this.#gpu;
    const bytes = 8 * this.results.length * groups;
    // The end of another step may wait to combine what a smaller buffer holds.
    if (bytes > values.partials.bytes) stream.recordDeferred();
    return values.partials.reserve(bytes);
  }

  /** Workgroups that combine them. */
  get chunks(): number {
    return chunksOf(this.groups, this.perBlock);
  }
}
