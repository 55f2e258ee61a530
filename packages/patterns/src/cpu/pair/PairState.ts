import type { SharedHeap } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { Kernel } from '../Kernel.js';
import { HeapBuffer } from '../neighbors/HeapBuffer.js';
import { perGrid } from '../perGrid.js';
import type { RowWork } from '../RowQueue.js';
import type { BoundCall } from './bindArguments.js';
import type { PairPlan } from './PairPlan.js';

/** A plan and its kernel. */
export interface CompiledPair {
  readonly plan: PairPlan;
  readonly kernel: Kernel;
}

/** What pair calls keep of a grid: compiled calls, per-thread buffers, tables. */
export class PairState {
  readonly threads: HeapBuffer;
  readonly totals: HeapBuffer;
  readonly scratch: HeapBuffer;
  readonly shifts: HeapBuffer;
  readonly singles: HeapBuffer;
  readonly record: HeapBuffer;
  readonly compiled = new WeakMap<Functor, Map<string, CompiledPair>>();
  /** The latest call; calls of other kinds reuse its buffers. */
  bound: BoundCall | null = null;
  /** How the buffers of a block are added up since a sort, by block. */
  readonly reductions = new Map<string, { readonly sortVersion: number; readonly work: RowWork }>();
  #heap: SharedHeap;
  #buffers = new Map<string, HeapBuffer>();

  constructor(heap: SharedHeap) {
    this.#heap = heap;
    this.threads = new HeapBuffer(heap);
    this.totals = new HeapBuffer(heap);
    this.scratch = new HeapBuffer(heap);
    this.shifts = new HeapBuffer(heap);
    this.singles = new HeapBuffer(heap);
    this.record = new HeapBuffer(heap);
  }

  /** A named buffer; output buffers among them are all zero between calls. */
  buffer(name: string): HeapBuffer {
    let buffer = this.#buffers.get(name);
    if (!buffer) {
      buffer = new HeapBuffer(this.#heap);
      this.#buffers.set(name, buffer);
    }
    return buffer;
  }

  free(): void {
    const { threads, totals, scratch, shifts, singles, record } = this;
    for (const buffer of [threads, totals, scratch, shifts, singles, record]) {
      buffer.free();
    }
    this.discardBuffers();
  }

  /** Gives back output buffers that a failed call may have left dirty. */
  discardBuffers(): void {
    this.bound = null;
    this.reductions.clear();
    for (const buffer of this.#buffers.values()) buffer.free();
    this.#buffers.clear();
  }
}

/** The pair state of a grid, made on first use. */
export const pairState = perGrid((grid) => new PairState(grid.heap));
