import * as core from '@corpuscle/core';
import { afterAll, describe, expect, expectTypeOf, it } from 'vitest';
import {
  computeCellParticlePairs,
  createArray,
  createExecutionContext,
  type NeighborOptions,
  type NeighbourOptions,
  neighborhoodFunctor,
  neighbourhoodFunctor,
  pairFunctor,
  prepareNeighborLists,
  prepareNeighbourLists,
  update_neighbours,
  updateNeighbors,
  updateNeighbours,
} from '../src/index.js';
import { gridOf } from './shared/grids.js';

// Version 0.1.0 has British spelling. Its documented names still work.

const ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
afterAll(() => ctx.close());

const positions = [
  [1, 1, 1],
  [2, 1, 1],
  [3, 1, 1],
] as const;
const rcut = 1.5;

/** Three particles in a row, of types 1, 2 and 4, with lists. */
async function row(): Promise<core.Grid> {
  const grid = gridOf(ctx.heap, core.Domain.orthorhombic([9, 9, 9]), positions, [1, 2, 4]);
  await updateNeighbours(grid, ctx, { rcut, skin: 0 });
  return grid;
}

const sums = (grid: core.Grid) => [...grid.rowsById()].map((at) => Number(grid.values('fx')[at]));

const types = pairFunctor(
  { name: 'types', central: { fx: 'real' }, neighbour: { type: 'u32' } },
  (i, j) => {
    i.fx += j.type;
  },
);

describe('old names', () => {
  it('stand for the same functions and types', () => {
    expect(updateNeighbours).toBe(updateNeighbors);
    expect(update_neighbours).toBe(updateNeighbors);
    expect(prepareNeighbourLists).toBe(prepareNeighborLists);
    expect(neighbourhoodFunctor).toBe(neighborhoodFunctor);
    expect(core.NeighbourList).toBe(core.NeighborList);
    expect(core.NeighbourLists).toBe(core.NeighborLists);
    expectTypeOf<NeighbourOptions>().toEqualTypeOf<NeighborOptions>();
    expectTypeOf<core.NeighbourListKind>().toEqualTypeOf<core.NeighborListKind>();
    expectTypeOf<core.NeighbourList>().toEqualTypeOf<core.NeighborList>();
  });

  it('declare fields of neighbors of a pair', async () => {
    const grid = await row();
    await computeCellParticlePairs(grid, types, ctx, { rcut, params: {} });
    expect(sums(grid)).toEqual([2, 5, 2]);
    expect(types.spec).toMatchObject({ neighbor: { type: 'u32' } });
    expect(types.spec).not.toHaveProperty('neighbour');
  });

  it('declare fields of neighborhoods', async () => {
    const grid = await row();
    const product = neighbourhoodFunctor(
      { name: 'product', central: { fx: 'real' }, neighbour: { type: 'u32' } },
      (i, b) => {
        for (let k = 0; k < b.count; k++) i.fx += b.type[k]!;
      },
    );
    await computeCellParticlePairs(grid, product, ctx, { rcut, params: {} });
    expect(sums(grid)).toEqual([2, 5, 2]);
  });

  it('filter neighbors', async () => {
    const grid = await row();
    const particleFilter = { neighbour: { field: 'type', bits: 4 } };
    await computeCellParticlePairs(grid, types, ctx, { rcut, params: {}, particleFilter });
    expect(sums(grid)).toEqual([0, 4, 0]);
  });

  it('name sets of neighbors in calls without lists', async () => {
    const grid = await row();
    const neighbours = createArray(ctx, 'u32', 1);
    neighbours.write([grid.rowsById()[1]!]);
    await computeCellParticlePairs(grid, types, ctx, {
      rcut,
      params: {},
      allPairs: { neighbours },
    });
    expect(sums(grid)).toEqual([2, 0, 2]);
  });

  it('are refused beside the new ones', () => {
    const spec = { name: 'twice', central: { fx: 'real' }, neighbor: {}, neighbour: {} } as const;
    expect(() => pairFunctor(spec, () => undefined)).toThrow('keep neighbor');
  });
});
