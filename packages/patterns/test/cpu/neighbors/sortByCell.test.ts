import { Domain, SharedHeap } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import type { CpuServices } from '../../../src/cpu/CpuServices.js';
import { neighborState } from '../../../src/cpu/neighbors/NeighborState.js';
import { sortByCell } from '../../../src/cpu/neighbors/sortByCell.js';
import { ThreadPool } from '../../../src/cpu/ThreadPool.js';
import { gridOf } from '../../shared/grids.js';

describe.each([1, 2])('rows sorted by %i threads', (threads) => {
  it.each([
    [10, [3, 1, 1]],
    [5000, [1, 1, 1]],
    [5000, [7, 5, 3]],
    [6001, [20, 20, 20]],
  ] as const)(
    '%i rows are in the order of their cells, and of their numbers in each',
    async (count, dims) => {
      const heap = new SharedHeap();
      const pool = new ThreadPool(heap, threads);
      await pool.ready();
      const places = Array.from({ length: count }, (): [number, number, number] => [0, 0, 0]);
      const grid = gridOf(heap, Domain.orthorhombic([1, 1, 1]), places);
      const state = neighborState(grid);
      grid.cells.resize(dims);
      const cells = grid.cells.count;
      const keys = heap.i32(state.keys.reserve(4 * count), count);
      let seed = 1;
      for (let row = 0; row < count; row++) {
        seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
        keys[row] = Math.floor((seed / 2 ** 32) ** 2 * cells);
      }
      const expected = Array.from(keys.keys()).sort((a, b) => keys[a]! - keys[b]! || a - b);
      for (let pass = 0; pass < 2; pass++) {
        sortByCell({ heap, pool } as unknown as CpuServices, state, grid);
        expect([...heap.i32(state.order.address, count)]).toEqual(expected);
        const firsts = Array.from({ length: cells + 1 }, (_, c) =>
          expected.findIndex((row) => keys[row]! >= c),
        );
        expect([...grid.cells.start]).toEqual(firsts.map((k) => (k < 0 ? count : k)));
      }
      await pool.close();
    },
  );
});
