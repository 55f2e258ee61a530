import type { ParameterValues } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';
import { type PlacedFunctor, sumPlaceName, valueSource } from '../kernels/valueSource.js';
import { BoundParams } from '../pattern/BoundParams.js';
import type { PartialSums } from '../pattern/PartialSums.js';
import { tableBuffers } from '../pattern/UploadCache.js';

/** The kernel of a pass for one number of partial results a block. */
interface Program {
  readonly kernel: GpuKernel;
  readonly tables: readonly FunctorTables[];
  readonly params: BoundParams;
  readonly perBlock: number;
  /** Whether several workgroups combine. */
  readonly isSpread: boolean;
}

/** One dispatch that combines partial results of reductions into values, and then makes value functors in their order. */
export class ValuePass {
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #sums: PartialSums | null;
  readonly #functors: readonly PlacedFunctor[];
  #program: Program | null = null;

  /**
   * @param functors only one alone may have tables, where there are no sums.
   * @param label of a pass that only combines.
   */
  constructor(
    gpu: GpuDevice,
    sums: PartialSums | null,
    functors: readonly PlacedFunctor[],
    label = 'combine',
  ) {
    this.#gpu = gpu;
    this.#label = label;
    this.#sums = sums;
    this.#functors = functors;
  }

  /** @param given parameters of each functor. */
  record(given: readonly ParameterValues[]): void {
    const isCombination = this.#functors.length === 0;
    this.#record(given, isCombination ? this.#gpu.values.buffer : null);
  }

  /** Combines alone: result k goes to a place of its own in a buffer. */
  combine(target: GPUBuffer, places: readonly number[]): void {
    const { params } = this.#current;
    for (let k = 0; k < places.length; k++) params.set(sumPlaceName(k), places[k]!);
    this.#record([], target);
  }

  #record(given: readonly ParameterValues[], target: GPUBuffer | null): void {
    const sums = this.#sums;
    const { kernel, tables, params, isSpread } = this.#current;
    const bindings: GPUBuffer[] = [];
    for (let k = 0; k < given.length; k++) {
      params.setGiven(k, tables[k]!, given[k]!);
      bindings.push(...tableBuffers(this.#gpu, kernel.label, tables[k]!, given[k]!));
    }
    const chunks = sums?.chunks ?? 1;
    if (sums) {
      params.set('groups', sums.groups);
      bindings.push(this.#gpu.values.partials.buffer);
    }
    if (isSpread) bindings.push(this.#gpu.values.reserveChunks(sums!.results.length, chunks));
    if (target) bindings.push(target);
    this.#gpu.stream.dispatchWritten(kernel, bindings, params.record, chunks);
  }

  /** The kernel with its parameters: most stay from step to step. */
  get #current(): Program {
    const { perBlock = 1, chunks = 1 } = this.#sums ?? {};
    const isSpread = chunks > 1;
    const known = this.#program;
    if (known?.perBlock === perBlock && known.isSpread === isSpread) return known;
    const { reals } = this.#gpu;
    const request = {
      functors: this.#functors,
      results: this.#sums?.results ?? [],
      label: this.#label,
      state: reals.state,
      perBlock,
      isSpread,
    };
    const { source, tables } = valueSource(request);
    const kernel = this.#gpu.kernel(source);
    const stage = (within: number) => valueSource({ ...request, within }).source;
    if (!isSpread) this.#gpu.resident.offer(kernel, source, stage);
    const params = new BoundParams(kernel);
    if (this.#functors.length === 0)
      for (const [k, { place }] of request.results.entries()) params.set(sumPlaceName(k), place);
    this.#program = { kernel, tables, params, perBlock, isSpread };
    return this.#program;
  }
}
