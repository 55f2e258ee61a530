import type { SharedHeap } from '@corpuscle/core';

/** An allocation that grows and never shrinks; growing loses what it held. */
export class HeapBuffer {
  address = 0;
  bytes = 0;
  #heap: SharedHeap;

  constructor(heap: SharedHeap) {
    this.#heap = heap;
  }

  /** Makes room for `bytes`; a little more is taken so that slow growth does not move the buffer each time. */
  reserve(bytes: number): number {
    if (bytes > this.bytes) {
      const room = Math.ceil(this.bytes === 0 ? bytes : bytes * 1.1);
      this.free();
      this.address = this.#heap.allocate(room);
      this.bytes = room;
    }
    return this.address;
  }

  free(): void {
    this.#heap.free(this.address);
    this.address = this.bytes = 0;
  }
}
