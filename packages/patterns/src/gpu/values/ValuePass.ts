import type { Functor } from '@corpuscle/functor';
import type { ParameterValues } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import type { FoldedSums } from '../pattern/FoldedSums.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { gatherRun } from '../wgsl/gatherPartials.js';
import { placeName, sumPlaceName, valueSource } from './valueSource.js';

/** A value functor, and where its values lie in the store. */
export interface PlacedFunctor {
  readonly functor: Functor<'cell'>;
  readonly places: readonly number[];
}

/** One dispatch that combines partial results of reductions into values, and then makes value functors in their order. */
export class ValuePass {
  readonly #gpu: GpuDevice;
  readonly #sums: FoldedSums | null;
  readonly #label: string;
  readonly #tables: readonly FunctorTables[];
  readonly #kernel: GpuKernel;
  readonly #record: ParamRecord;
  readonly #values: Record<string, number> = { one: 1 };
  readonly #params: ParameterValues[] = [];
  #groups = -1;
  /** What the kernel binds. */
  readonly #bindings: GPUBuffer[] = [];

  /** @param functors only one alone may have tables, where there are no sums. */
  constructor(gpu: GpuDevice, sums: FoldedSums | null, functors: readonly PlacedFunctor[]) {
    this.#gpu = gpu;
    this.#sums = sums;
    const made = valueSource(
      functors.map(({ functor }) => functor),
      sums?.results ?? [],
      gpu.reals.state,
    );
    this.#label = made.source.label;
    this.#tables = made.tables;
    this.#kernel = gpu.kernel(made.source);
    this.#record = this.#kernel.newRecord();
    for (const [k, { place }] of sums?.results.entries() ?? [])
      this.#values[sumPlaceName(k)] = place;
    for (const [k, { places }] of functors.entries())
      for (const [n, place] of places.entries()) this.#values[placeName(k, n)] = place;
  }

  /** @param params of each functor. */
  record(params: readonly ParameterValues[]): void {
    const sums = this.#sums;
    const bindings = this.#bindings;
    let isCurrent = this.#groups === (sums?.groups ?? 0);
    bindings.length = 0;
    for (let k = 0; k < params.length; k++) {
      const tables = this.#tables[k]!;
      if (tables.hasTables) bindings.push(tables.buffer(this.#gpu, this.#label, params[k]!));
      if (this.#params[k] === params[k]) continue;
      tables.put(params[k]!, this.#values);
      this.#params[k] = params[k]!;
      isCurrent = false;
    }
    if (sums) bindings.push(sums.partials);
    if (!isCurrent) {
      this.#groups = sums?.groups ?? 0;
      const groups = { groups: this.#groups, run: gatherRun(this.#groups) };
      this.#kernel.writeParams(this.#record, 0, { ...this.#values, ...groups });
    }
    this.#gpu.stream.dispatchWritten(this.#kernel, bindings, this.#record, 1);
  }
}
