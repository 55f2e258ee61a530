import type { SharedHeap } from '@corpuscle/core';
import type { ParamSchema } from '@corpuscle/functor';
import type { ParameterValues } from '../plan/calls.js';
import type { ArgumentLayout } from './Kernel.js';
import { argumentNames } from './kernels/argumentNames.js';

interface TableBuffer {
  address: number;
  bytes: number;
}

/**
 * A kernel's argument record in the heap, with the copies of the tables it points to. A plan owns one for synchronous
 * calls and reuses it; each call in the background has its own, freed when the job is over.
 */
export class ArgumentRecord {
  readonly address: number;
  readonly #heap: SharedHeap;
  readonly #layout: ArgumentLayout;
  readonly #i32: Int32Array;
  readonly #f64: Float64Array;
  readonly #offsets = new Map<string, number>();
  readonly #tables = new Map<string, TableBuffer>();

  constructor(heap: SharedHeap, layout: ArgumentLayout) {
    this.#heap = heap;
    this.#layout = layout;
    heap.settle(); // the record keeps views
    this.address = heap.allocate(layout.bytes);
    this.#i32 = heap.i32(this.address, layout.bytes / 4);
    this.#f64 = heap.f64(this.address, layout.bytes / 8);
    layout.slots.forEach(({ name }, k) => {
      this.#offsets.set(name, k);
    });
  }

  /** Sets a slot of an address or a whole number; does nothing when the kernel does not use it. */
  setInteger(name: string, value: number): void {
    const slot = this.#offsets.get(name);
    if (slot === undefined) return;
    const isAddress = this.#layout.slots[slot]!.type === 'address';
    this.#i32[2 * slot] = isAddress ? this.#heap.word(value) : value;
  }

  setReal(name: string, value: number): void {
    const slot = this.#offsets.get(name);
    if (slot !== undefined) this.#f64[slot] = value;
  }

  /** Writes all parameters; tables are copied to the heap. */
  setParameters(schema: ParamSchema, values: ParameterValues): void {
    for (const name in schema) {
      const type = schema[name]!;
      const value = values[name]!;
      if (typeof value === 'object') this.#setTable(name, type, value);
      else if (type === 'real') this.setReal(argumentNames.param(name), value);
      else this.setInteger(argumentNames.param(name), value);
    }
  }

  free(): void {
    for (const { address } of this.#tables.values()) this.#heap.free(address);
    this.#heap.free(this.address);
  }

  #setTable(name: string, type: string, values: ArrayLike<number>): void {
    const real = type === 'real[]';
    const bytes = (real ? 8 : 4) * values.length;
    let table = this.#tables.get(name);
    if (!table || table.bytes < bytes) {
      if (table) this.#heap.free(table.address);
      this.#tables.delete(name);
      table = { address: this.#heap.allocate(bytes), bytes };
      this.#tables.set(name, table);
    }
    const view = real
      ? this.#heap.f64(table.address, values.length)
      : this.#heap.i32(table.address, values.length);
    view.set(values);
    this.setInteger(argumentNames.tableAddress(name), table.address);
    this.setInteger(argumentNames.tableLast(name), values.length - 1);
  }
}
