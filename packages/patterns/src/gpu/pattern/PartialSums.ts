import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { ResultPlaces, Totals } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import { PendingResult } from '../device/PendingResult.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { COMBINE_LANES, chunksOf, combinePartials } from '../wgsl/combinePartials.js';
import { type DeviceResult, unpackResult } from '../wgsl/reduceWgsl.js';

/** Makes the outcome of a call from the results of the device, in the order in which they were declared. */
export type Outcome = (numbers: readonly number[]) => Totals;

/**
 * The second level of a reduction: what the workgroups of the first level left is combined in a fixed order, and the few numbers
 * are read back.
 *
 *   partials[k · groups + g]   result k of workgroup g, two words
 */
export class PartialSums {
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #results: readonly DeviceResult[];
  readonly #perBlock: number;
  /** Kernels by the order of results, for one workgroup and for several. */
  readonly #kernels = new Map<string, GpuKernel>();
  readonly #partials: GrowingBuffer;
  /** Parameters of the kernels, of which only `at` changes from call to call. */
  #params: ParamRecord | null = null;
  /** Workgroups that leave partial results, and those that the record tells of. */
  #groups = 0;
  #written = 0;
  /** What the kernel binds. */
  readonly #bindings: GPUBuffer[] = [];

  /** @param perBlock partial results for 128 rows. */
  constructor(gpu: GpuDevice, label: string, results: readonly DeviceResult[], perBlock = 1) {
    this.#gpu = gpu;
    this.#perBlock = perBlock;
    this.#label = label;
    this.#results = results;
    this.#partials = new GrowingBuffer(gpu, `${label}: partial results`);
  }

  /** @param names of results in the order in which they are stored. */
  #combineKernel(names: readonly string[], isSpread: boolean): GpuKernel {
    const results = this.#results;
    const store = (k: number, outcome: string) =>
      `results[P.at + ${names.indexOf(results[k]!.name)}u] = ${outcome};`;
    const combine = combinePartials(results, this.#perBlock, isSpread, { when: '', store });
    return this.#gpu.kernel({
      label: `${this.#label}: combine`,
      about: combine.about,
      workgroupSize: COMBINE_LANES,
      buffers: [
        ...combine.buffers,
        { name: 'results', type: 'array<vec2u>', access: 'read_write' },
      ],
      params: { ...combine.params, at: 'u32' },
      declarations: combine.declarations,
      body: combine.body,
    });
  }

  /** Room for the partial results of workgroups that have some rows each. */
  reserve(rows: number, perGroup = 1): GPUBuffer {
    // What waits to be recorded may leave its own there.
    this.#gpu.stream.recordWaiting();
    this.#groups = Math.ceil(rows / perGroup);
    return this.#partials.reserve(8 * this.#results.length * this.#groups);
  }

  /**
   * Combines partial results for the host, or into the value that a call names.
   * @param names of all results of the call, in their order.
   */
  finish(
    names: readonly string[],
    into: ResultPlaces | undefined,
    outcome: Outcome,
  ): PatternHandle<Totals> {
    const { stream, values } = this.#gpu;
    if (into) {
      this.#combine(names, values.buffer, into.values.parameter(into.at));
      return NO_TOTALS;
    }
    this.#gpu.operation = this.#label;
    const decode = (data: ArrayBuffer) => outcome(this.#numbersOf(data));
    const { handle, place } = new PendingResult(stream, 8 * this.#results.length, decode);
    const own = this.#results.map(({ name }) => name);
    this.#combine(own, place.buffer, place.offset / 8);
    return handle;
  }

  #kernelFor(names: readonly string[], isSpread: boolean): GpuKernel {
    const key = `${isSpread} ${names}`;
    const kernel = this.#kernels.get(key) ?? this.#combineKernel(names, isSpread);
    this.#kernels.set(key, kernel);
    return kernel;
  }

  #numbersOf(data: ArrayBuffer): number[] {
    const words = new Uint32Array(data);
    const results = this.#results;
    const numbers: number[] = [];
    for (let k = 0; k < results.length; k++)
      numbers.push(unpackResult(results[k]!, words[2 * k]!, words[2 * k + 1]!));
    return numbers;
  }

  /** @param names of results in their order. @param at where the first goes, in `target`. */
  #combine(names: readonly string[], target: GPUBuffer, at: number): void {
    const groups = this.#groups;
    const chunks = chunksOf(groups, this.#perBlock);
    const kernel = this.#kernelFor(names, chunks > 1);
    this.#params ??= kernel.newRecord();
    if (groups !== this.#written) kernel.writeParams(this.#params, 0, { groups, at });
    this.#written = groups;
    this.#params.u32[kernel.wordOf('at')] = at;
    const { values, stream } = this.#gpu;
    const bound = this.#bindings;
    bound.length = 0;
    bound.push(this.#partials.buffer);
    if (chunks > 1) bound.push(values.reserveChunks(this.#results.length, chunks));
    bound.push(target);
    stream.dispatchWritten(kernel, bound, this.#params, chunks);
  }
}

const NO_TOTALS: PatternHandle<Totals> = completed<Totals>(Object.freeze({}));

/** Totals by name, those that the device does not give being 0. */
export function totalsByName(names: readonly string[], results: readonly DeviceResult[]): Outcome {
  const places = names.map((name) => results.findIndex((result) => result.name === name));
  return (numbers) => {
    const totals: Totals = {};
    for (let k = 0; k < names.length; k++) totals[names[k]!] = numbers[places[k]!] ?? 0;
    return totals;
  };
}
