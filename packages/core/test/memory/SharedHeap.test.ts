import fc from 'fast-check';
import { expect, it } from 'vitest';
import { CellTable } from '../../src/grid/CellTable.js';
import { SharedHeap } from '../../src/memory/SharedHeap.js';
import { NeighborList } from '../../src/neighbor/NeighborList.js';

it('joins freed blocks in whatever order they are freed', () => {
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
  const sizes = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 6, maxLength: 6 });
  fc.assert(
    fc.property(order, sizes, (freed, bytes) => {
      const heap = new SharedHeap(1);
      const starts = bytes.map((size) => heap.allocate(size));
      const guard = heap.allocate(1); // keeps the blocks below the top
      for (const k of freed) heap.free(starts[k]!);
      expect(heap.allocate(guard - starts[0]!)).toBe(starts[0]);
    }),
    { numRuns: 50 },
  );
});

it('hands out zeroed, aligned bytes that overlap no others', () => {
  const action = fc.record({ size: fc.integer({ min: 0, max: 500 }), drop: fc.nat(8) });
  fc.assert(
    fc.property(fc.array(action, { maxLength: 40 }), (actions) => {
      const heap = new SharedHeap(1);
      const live: { start: number; size: number }[] = [];
      for (const { size, drop } of actions) {
        const start = heap.allocate(size);
        expect(start % 64).toBe(0);
        expect(start).toBeGreaterThanOrEqual(SharedHeap.RESERVED);
        const bytes = new Uint8Array(heap.memory.buffer, start, size);
        expect(bytes.every((byte) => byte === 0)).toBe(true);
        bytes.fill(255);
        for (const other of live) {
          expect(start + size <= other.start || other.start + other.size <= start).toBe(true);
        }
        live.push({ start, size });
        const [gone] = live.splice(drop, 1);
        if (gone) heap.free(gone.start);
      }
      for (const { start } of live) heap.free(start);
      expect(heap.allocatedBytes).toBe(0);
      expect(heap.allocate(1)).toBe(SharedHeap.RESERVED);
    }),
    { numRuns: 50 },
  );
});

it('refuses to free what it did not hand out, and ignores the null pointer', () => {
  const heap = new SharedHeap(1);
  heap.free(0);
  const start = heap.allocate(8);
  heap.free(start);
  expect(() => heap.free(start)).toThrowError(expect.objectContaining({ code: 'INTERNAL' }));
});

it('is given back all by those for whom there was no more', () => {
  const heap = new SharedHeap(1, 2);
  const list = new NeighborList(heap, 'half');
  const cells = new CellTable(heap);
  const full = { code: 'OUT_OF_MEMORY' };
  list.reserve(0, 8, 8);
  cells.resize([2, 2, 2]);
  expect(() => list.reserve(0, 1e6, 8)).toThrowError(expect.objectContaining(full));
  expect(() => list.reserve(0, 8, 1e6)).toThrowError(expect.objectContaining(full));
  expect(() => cells.resize([100, 100, 100])).toThrowError(expect.objectContaining(full));
  list.free();
  cells.free();
  expect(heap.allocatedBytes).toBe(0);
});
