import type { ParameterValues } from '../../plan/calls.js';
import type { GpuKernel, KernelParams, ParamRecord } from '../device/GpuKernel.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';

/** Parameters of a kernel from call to call: its record is written again only where one of them has changed. */
export class BoundParams {
  readonly #kernel: GpuKernel;
  readonly #record: ParamRecord;
  readonly #values: Record<string, number | readonly number[]> = {};
  /** What parameters of functors were last made from. */
  readonly #given: ParameterValues[] = [];
  readonly #objects: KernelParams[] = [];
  #isCurrent = false;

  constructor(kernel: GpuKernel) {
    this.#kernel = kernel;
    this.#record = kernel.newRecord();
  }

  set(name: string, value: number): void {
    if (this.#values[name] === value) return;
    this.#values[name] = value;
    this.#isCurrent = false;
  }

  setAll(values: Readonly<Record<string, number>>): void {
    for (const name in values) this.set(name, values[name]!);
  }

  /** Sets parameters that are the same object while they stay. @param k tells several such objects apart. */
  setObject(k: number, values: KernelParams): void {
    if (this.#objects[k] === values) return;
    this.#objects[k] = values;
    Object.assign(this.#values, values);
    this.#isCurrent = false;
  }

  /** Sets parameters of functor k. */
  setGiven(k: number, tables: FunctorTables, given: ParameterValues): void {
    if (this.#given[k] === given) return;
    tables.put(given, this.#values);
    this.#given[k] = given;
    this.#isCurrent = false;
  }

  /** The record with all of them; good until one is set. */
  get record(): ParamRecord {
    if (!this.#isCurrent) this.#kernel.writeParams(this.#record, 0, this.#values);
    this.#isCurrent = true;
    return this.#record;
  }
}
