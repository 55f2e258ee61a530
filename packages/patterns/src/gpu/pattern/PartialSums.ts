import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { ResultPlaces, Totals } from '../../plan/calls.js';
import { Arriving } from '../device/Arriving.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { GATHER_LANES, gatherPartials } from '../wgsl/gatherPartials.js';
import {
  combineWgsl,
  type DeviceResult,
  treeMemoryWgsl,
  treeWgsl,
  unpackResult,
} from '../wgsl/reduceWgsl.js';

/** Makes the outcome of a call from the results of the device, in the order in which they were declared. */
export type Outcome = (numbers: readonly number[]) => Totals;

/**
 * The second level of a reduction: one workgroup combines what the workgroups of the first level left, in a fixed order,
 * and the few numbers are read back.
 *
 *   partials[k · groups + g]   result k of workgroup g, two words
 */
export class PartialSums {
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #results: readonly DeviceResult[];
  readonly #perBlock: number;
  readonly #kernel: GpuKernel;
  /** The same for results in another order. */
  readonly #ordered = new Map<string, GpuKernel>();
  readonly #partials: GrowingBuffer;
  /** Parameters of the kernel, of which only the last changes from call to call. */
  readonly #params: ParamRecord;
  readonly #at: number;
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
    this.#kernel = this.#combineKernel((k) => k);
    this.#params = this.#kernel.newRecord();
    this.#at = this.#kernel.wordOf('at');
  }

  /** @param place where each result goes, among the others. */
  #combineKernel(place: (k: number) => number): GpuKernel {
    const results = this.#results;
    const store = (k: number, outcome: string) => `results[P.at + ${place(k)}u] = ${outcome};`;
    return this.#gpu.kernel({
      label: `${this.#label}: combine`,
      about: 'One workgroup combines the partial results of all others, in a fixed order.',
      workgroupSize: GATHER_LANES,
      buffers: [
        { name: 'partials', type: 'array<vec2u>', access: 'read' },
        { name: 'results', type: 'array<vec2u>', access: 'read_write' },
      ],
      params: { groups: 'u32', at: 'u32', one: 'f32' },
      declarations: treeMemoryWgsl(GATHER_LANES, results.length) + combineWgsl(results),
      body:
        gatherPartials(results, this.#perBlock) +
        treeWgsl(results, GATHER_LANES, { when: '', store }),
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
      this.#combine(this.#kernelFor(names), values.buffer, into.values.parameter(into.at));
      return NO_TOTALS;
    }
    this.#gpu.operation = this.#label;
    const decode = (data: ArrayBuffer) => outcome(this.#numbersOf(data));
    const { handle, place } = new Arriving(stream, 8 * this.#results.length, decode);
    this.#combine(this.#kernel, place.buffer, place.offset / 8);
    return handle;
  }

  /** The kernel that stores results in the order of these names. */
  #kernelFor(names: readonly string[]): GpuKernel {
    const order = names.join();
    const kernel =
      this.#ordered.get(order) ?? this.#combineKernel((k) => names.indexOf(this.#results[k]!.name));
    this.#ordered.set(order, kernel);
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

  /** @param at where the first result goes, in results. */
  #combine(kernel: GpuKernel, results: GPUBuffer, at: number): void {
    const groups = this.#groups;
    if (groups !== this.#written) this.#kernel.writeParams(this.#params, 0, { groups, at: 0 });
    this.#written = groups;
    this.#params.u32[this.#at] = at;
    this.#bindings[0] = this.#partials.buffer;
    this.#bindings[1] = results;
    this.#gpu.stream.dispatchWritten(kernel, this.#bindings, this.#params, 1);
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
