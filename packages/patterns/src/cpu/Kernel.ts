import type { SharedHeap } from '@corpuscle/core';
import type { AddressType } from '@corpuscle/functor/wasm';

/**
 * A compiled piece of work for CPU threads. Wasm and JavaScript kernels have one calling convention:
 *
 *   run(args, begin, end, thread)        work on indices begin … end−1
 *
 * `args` is the word of an argument record in the shared heap: 8 bytes a slot, a word or an i32 in the low half, or an f64.
 * A word is an address in 32 bits: `SharedHeap.word`.
 * Nothing else crosses a thread: no closure, no object.
 */
export interface Kernel {
  /** Equal keys mean equal code: threads compile each key once. */
  readonly key: string;
  /** For profiles and error messages. */
  readonly label: string;
  readonly code: KernelCode;
  readonly args: ArgumentLayout;
}

/** What threads compile: a wasm module, JavaScript, or several kernels in a row. */
export type KernelCode =
  /** A module that imports `env.memory` and `math.<name>`, and exports `run`; `text` is the same in WebAssembly's text form. */
  | {
      readonly kind: 'wasm';
      readonly bytes: (addresses: AddressType) => Uint8Array;
      readonly text?: (addresses: AddressType) => string;
    }
  /** Body of `new Function('memory', source)`; returns the function `run`. */
  | { readonly kind: 'javascript'; readonly source: (addresses: AddressType) => string }
  /** Several kernels, one after the other on each chunk of indices; the record is a list of their records' words. */
  | { readonly kind: 'sequence'; readonly kernels: readonly Kernel[] };

export type SlotType = 'i32' | 'address' | 'f64';

/** Names and types of the slots of an argument record, in order; slot k lies at byte 8·k. */
export class ArgumentLayout {
  readonly slots: { readonly name: string; readonly type: SlotType }[] = [];
  #offsets = new Map<string, number>();

  /** Adds a slot and returns its byte offset; the same name again returns the same slot. */
  slot(name: string, type: SlotType): number {
    const present = this.#offsets.get(name);
    if (present !== undefined) return present;
    const offset = 8 * this.slots.length;
    this.slots.push({ name, type });
    this.#offsets.set(name, offset);
    return offset;
  }

  get bytes(): number {
    return Math.max(8, 8 * this.slots.length);
  }

  /** Writes a record; a slot without a value is an internal error. */
  write(heap: SharedHeap, address: number, values: Readonly<Record<string, number>>): void {
    const view = new DataView(heap.memory.buffer);
    this.slots.forEach(({ name, type }, k) => {
      const value = values[name];
      if (value === undefined) throw new Error(`kernel argument '${name}' has no value`);
      if (type === 'f64') view.setFloat64(address + 8 * k, value, true);
      else view.setInt32(address + 8 * k, type === 'i32' ? value : heap.word(value), true);
    });
  }
}
