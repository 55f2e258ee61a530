import { SharedHeap } from '@corpuscle/core';

/** A heap of 64-bit addresses in which everything lies beyond 4 GiB: what is below is taken, and never touched. */
export function highHeap(): SharedHeap {
  const heap = new SharedHeap(64, 262_144);
  heap.allocate(2 ** 32 + 2 ** 28);
  return heap;
}
