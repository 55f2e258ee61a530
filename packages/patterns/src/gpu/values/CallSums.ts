import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { ResultPlaces, Totals } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import { PendingResult } from '../device/PendingResult.js';
import { PartialSums, placedResults } from '../pattern/PartialSums.js';
import { type DeviceResult, identityValue, unpackResult } from '../wgsl/reduceWgsl.js';
import { ValuePass } from './ValuePass.js';

/** Results of a call that is recorded by itself: one more dispatch combines what its workgroups have left. */
export class CallSums {
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #sums: PartialSums;
  readonly #pass: ValuePass;

  constructor(gpu: GpuDevice, label: string, results: readonly DeviceResult[]) {
    this.#gpu = gpu;
    this.#label = label;
    const placed = results.map((result, place) => ({ ...result, place }));
    this.#sums = new PartialSums(gpu, placed);
    this.#pass = new ValuePass(gpu, this.#sums, [], `${label}: combine`);
  }

  reserve(groups: number, perBlock = 1): GPUBuffer {
    return this.#sums.reserve(groups, perBlock);
  }

  /**
   * Combines partial results for the host, or into the value that a call names.
   * @param initial values of all results of the call, in their order; the host gets them counted once.
   */
  finish(initial: Totals, into: ResultPlaces | undefined): PatternHandle<Totals> {
    const { stream, values } = this.#gpu;
    const { results } = this.#sums;
    if (into) {
      const at = placedResults(results, into, Object.keys(initial)).map(({ place }) => place);
      this.#pass.combine(values.buffer, at);
      return NO_TOTALS;
    }
    this.#gpu.operation = this.#label;
    const decode = (data: ArrayBuffer) => merged(results, new Uint32Array(data), initial);
    const { handle, place } = new PendingResult(stream, 8 * results.length, decode);
    const at = results.map((result) => place.offset / 8 + result.place);
    this.#pass.combine(place.buffer, at);
    return handle;
  }
}

export const NO_TOTALS: PatternHandle<Totals> = completed<Totals>(Object.freeze({}));

/** Adds the initial values, each exactly once; results that no particle touched keep theirs. */
function merged(
  results: readonly DeviceResult[],
  words: Uint32Array,
  initial: Readonly<Totals>,
): Totals {
  const totals: Totals = { ...initial };
  for (let k = 0; k < results.length; k++) {
    const result = results[k]!;
    const { name, op } = result;
    const start = totals[name]!;
    const found = unpackResult(result, words[2 * k]!, words[2 * k + 1]!);
    if (op === 'sum') totals[name] = start + found;
    else if (found !== identityValue(result)) totals[name] = Math[op](start, found);
  }
  return totals;
}
