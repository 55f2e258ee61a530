import type { Functor } from '@corpuscle/functor';
import type { ParameterValues } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, ParamRecord } from '../device/GpuKernel.js';
import type { FoldedSums } from '../pattern/FoldedSums.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { placeName, sumPlaceName, valueSource } from './valueSource.js';

/** A value functor, and where its values lie in the store. */
export interface PlacedFunctor {
  readonly functor: Functor<'cell'>;
  readonly places: readonly number[];
}

/** Parameters that say where values lie. */
export function placesOf(
  sums: FoldedSums | null,
  functors: readonly PlacedFunctor[],
): Record<string, number> {
  const values: Record<string, number> = {};
  for (const [k, { place }] of sums?.results.entries() ?? []) values[sumPlaceName(k)] = place;
  for (const [k, { places }] of functors.entries())
    for (const [n, place] of places.entries()) values[placeName(k, n)] = place;
  return values;
}

/** One dispatch that combines partial results of reductions into values, and then makes value functors in their order. */
export class ValuePass {
  readonly #gpu: GpuDevice;
  readonly #sums: FoldedSums | null;
  readonly #functors: readonly Functor<'cell'>[];
  /** Parameters of the kernel, and what they were last made from. */
  readonly #values: Record<string, number> = {};
  readonly #params: ParameterValues[] = [];
  #made: Made | null = null;
  /** What the kernel binds. */
  readonly #bindings: GPUBuffer[] = [];

  /** @param functors only one alone may have tables, where there are no sums. */
  constructor(gpu: GpuDevice, sums: FoldedSums | null, functors: readonly PlacedFunctor[]) {
    this.#gpu = gpu;
    this.#sums = sums;
    this.#functors = functors.map(({ functor }) => functor);
    Object.assign(this.#values, placesOf(sums, functors));
  }

  /** @param params of each functor. */
  record(params: readonly ParameterValues[]): void {
    const sums = this.#sums;
    const bindings = this.#bindings;
    const { kernel, tables, label, record, isSpread } = this.#current(params);
    bindings.length = 0;
    for (let k = 0; k < tables.length; k++)
      if (tables[k]!.hasTables) bindings.push(tables[k]!.buffer(this.#gpu, label, params[k]!));
    const chunks = sums?.chunks ?? 1;
    if (sums) bindings.push(sums.partials);
    if (isSpread) bindings.push(this.#gpu.values.reserveChunks(sums!.results.length, chunks));
    this.#gpu.stream.dispatchWritten(kernel, bindings, record, chunks);
  }

  /** The kernel with its parameters: most stay from step to step. */
  #current(params: readonly ParameterValues[]): Made {
    const { groups = 0, perBlock = 1, chunks = 1 } = this.#sums ?? {};
    const isSpread = chunks > 1;
    const known = this.#made;
    const isSame = known?.perBlock === perBlock && known.isSpread === isSpread;
    const made = isSame ? known : this.#make(perBlock, isSpread);
    let isCurrent = made === this.#made && made.groups === groups;
    for (let k = 0; k < params.length; k++) {
      if (made === this.#made && this.#params[k] === params[k]) continue;
      made.tables[k]!.put(params[k]!, this.#values);
      this.#params[k] = params[k]!;
      isCurrent = false;
    }
    this.#made = made;
    if (isCurrent) return made;
    made.groups = this.#values.groups = groups;
    made.kernel.writeParams(made.record, 0, this.#values);
    return made;
  }

  #make(perBlock: number, isSpread: boolean): Made {
    const { reals } = this.#gpu;
    const results = this.#sums?.results ?? [];
    const functors = this.#functors;
    const { source, tables } = valueSource(functors, results, perBlock, isSpread, reals.state);
    const kernel = this.#gpu.kernel(source);
    const record = kernel.newRecord();
    return { kernel, tables, label: source.label, perBlock, isSpread, record, groups: -1 };
  }
}

/** A kernel for one number of partial results a block. */
interface Made {
  readonly kernel: GpuKernel;
  readonly tables: readonly FunctorTables[];
  readonly label: string;
  readonly perBlock: number;
  /** Whether several workgroups combine. */
  readonly isSpread: boolean;
  readonly record: ParamRecord;
  /** Workgroups that the record tells of. */
  groups: number;
}
