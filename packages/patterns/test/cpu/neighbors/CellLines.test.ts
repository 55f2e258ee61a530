import { Domain } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { CellLines, chooseSlabs } from '../../../src/cpu/neighbors/CellLines.js';
import { cellTable } from '../../../src/pattern/cellTable.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';

describe('the order of lines of cells', () => {
  it('has slabs of equal height, and goes along z first in each', () => {
    const lines = new CellLines([9, 4, 6], 2);
    const byZ = Array.from({ length: 6 }, (_, z) => [...lines.place.subarray(4 * z, 4 * z + 4)]);
    expect(byZ).toEqual([
      [0, 3, 6, 9],
      [1, 4, 7, 10],
      [2, 5, 8, 11],
      [12, 15, 18, 21],
      [13, 16, 19, 22],
      [14, 17, 20, 23],
    ]);
    expect([...lines.slab]).toEqual([0, 0, 0, 1, 1, 1]);
  });

  it('is that of y, then z where each layer is a slab', () => {
    expect([...new CellLines([2, 3, 5], 5).line]).toEqual(Array.from({ length: 15 }, (_, k) => k));
  });

  it.each([
    [[7, 5, 7], 3],
    [[1, 1, 9], 4],
    [[4, 6, 2], 7],
    [[3, 8, 1], 1],
  ] as const)('names each line of %j cells in %i slabs once, lower slabs first', (dims, slabs) => {
    const { place, line, slab } = new CellLines(dims, slabs);
    expect(place.length).toBe(dims[1] * dims[2]);
    line.forEach((one, k) => {
      expect(place[one]).toBe(k);
    });
    const slabsInOrder = [...line].map((one) => slab[Math.floor(one / dims[1])]!);
    expect(slabsInOrder).toEqual([...slabsInOrder].sort((a, b) => a - b));
  });

  it.each([
    [[20, 20, 20], 1, 20],
    [[20, 20, 20], 2, 20],
    [[23, 23, 23], 16, 4],
    [[23, 23, 23], 8, 2],
    [[10, 10, 200], 16, 200],
    [[10, 200, 10], 16, 1],
    [[10, 1, 40], 12, 40],
  ] as const)('cells %j in %i parts are cut into %i slabs', (dims, parts, slabs) => {
    expect(chooseSlabs(dims, parts, 32_000)).toBe(slabs);
    expect(chooseSlabs(dims, parts, 5_000_000)).toBe(dims[2]);
  });

  it.each([
    [false, 1],
    [true, 8],
  ] as const)(
    'is told with the cells: deterministic %s, %i parts',
    async (deterministic, parts) => {
      const ctx = await createExecutionContext({ backend: 'cpu', threads: 1, deterministic });
      const next = sequence(5);
      const places = Array.from({ length: 3000 }, () => [12 * next(), 12 * next(), 12 * next()]);
      const box = Domain.orthorhombic([12, 12, 12]);
      const grid = gridOf(ctx.heap, box, places as [number, number, number][]);
      await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3 });
      const { dims, start, lines } = await cellTable(grid, ctx);
      const [nx, ny] = dims;
      const positions = grid.block('position').array as Float64Array;
      expect([...lines].every((line, k) => line === k)).toBe(parts === 1);
      for (let cell = 0; cell + 1 < start.length; cell++) {
        const line = lines[Math.floor(cell / nx)]!;
        const expected = [cell % nx, line % ny, Math.floor(line / ny)];
        for (let row = start[cell]!; row < start[cell + 1]!; row++) {
          const found = dims.map((n, k) => Math.floor((positions[4 * row + k]! / 12) * n));
          expect(found).toEqual(expected);
        }
      }
      await ctx.close();
    },
  );
});
