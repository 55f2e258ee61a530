import { describe, expect, it } from 'vitest';
import { FieldBlock, type RowSource } from '../../src/field/FieldBlock.js';
import type { BlockSpec } from '../../src/field/FieldSpec.js';
import { SharedHeap } from '../../src/memory/SharedHeap.js';

const spec: BlockSpec = {
  name: 'velocity',
  type: 'f64',
  width: 4,
  members: ['vx', 'vy', 'vz', null],
};
const rowNumbers: RowSource = (rows, first) => {
  for (let k = 0; k < rows.length; k += 4) rows[k] = first + k / 4;
};

/** A block where a device computes. */
function outside(rows: number): { block: FieldBlock; heap: SharedHeap } {
  const heap = new SharedHeap(1);
  heap.holdsFields = false;
  const block = new FieldBlock(heap, spec);
  block.reserve(rows);
  return { block, heap };
}

describe('fields where a device computes', () => {
  it('take no memory before the host looks', () => {
    const { block, heap } = outside(1000);
    expect(block.isZero).toBe(true);
    block.fill(rowNumbers, 900);
    expect([...block.piece(899, 2)]).toEqual([899, 0, 0, 0, 0, 0, 0, 0]);
    expect(block.outsideBytes).toBe(0);
    expect(block.array[4 * 17]).toBe(17);
    expect(block.array[4 * 900]).toBe(0);
    expect(block.outsideBytes).toBe(32 * block.capacity);
    expect(heap.allocatedBytes).toBe(0);
  });

  it('enter the heap when a kernel of the CPU asks for their address', () => {
    for (const look of [true, false]) {
      const { block, heap } = outside(1000);
      block.fill(rowNumbers, 1000);
      if (look) block.array[4 * 3 + 1] = 5;
      const rows = heap.f64(block.address, 4 * 1000);
      expect([...rows.subarray(12, 16)]).toEqual([3, look ? 5 : 0, 0, 0]);
      expect(block.outsideBytes).toBe(0);
      block.array[12] = 8;
      expect(rows[12]).toBe(8);
      block.fill(rowNumbers, 10);
      expect([rows[12], rows[40]]).toEqual([3, 0]);
    }
  });

  it('keep what is stored when they grow, and lose it when a device has newer rows', () => {
    const { block } = outside(100_000);
    (block.array as Float64Array).set([1, 2, 3, 0], 4 * 99_999);
    block.reserve(600_000);
    expect([...block.piece(99_999, 1)]).toEqual([1, 2, 3, 0]);
    block.dropOld();
    expect(block.outsideBytes).toBe(0);
    expect([...block.piece(99_999, 1)]).toEqual([0, 0, 0, 0]);
  });

  it('stay with the host where they are small', () => {
    const { block } = outside(1000);
    const { array } = block;
    array[0] = 7;
    block.dropOld();
    expect(block.array).toBe(array);
  });
});
