import { Domain } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { pairWeights } from '../../../src/plan/adapt/pairWeights.js';
import { gridOf } from '../../shared/grids.js';

const counted = pairFunctor(
  { name: 'counted', central: { ep: 'real' }, traits: { newton3: true } },
  (i) => {
    i.ep += 1;
  },
);
const total = { outputs: { ep: 'total' } } as const;

describe('weights of pairs', () => {
  it.each([
    [1, 4],
    [0.5, 2],
    [0, 0],
  ])('that are all zero leave %f of each other pair', async (others, expected) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), [
      [1, 1, 1],
      [2, 1, 1],
      [1, 2, 1],
    ]);
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2 });
    const weights = pairWeights([{ ids: [0, 1], weight: 0 }], others);
    // Three pairs, one of them excluded; each counts for both of its particles.
    const { ep } = await computeCellParticlePairs(grid, counted, ctx, {
      rcut: 2,
      weights,
      ...total,
    });
    expect(ep).toBe(expected);
  });
});

describe('the cell of a particle that left the box since the last sort', () => {
  it.each([
    ['wraps along a periodic axis', true, [0, 1]],
    ['is the nearest one along an open axis', false, [1, 0]],
  ] as const)('%s', async (_, periodic, mask) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const domain = Domain.orthorhombic([9, 9, 9], { periodic: [periodic, true, true] });
    const grid = gridOf(ctx.heap, domain, [
      [0.02, 4, 4],
      [1, 4, 4],
    ]);
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.4 });
    const rx = grid.values('rx');
    grid.setValues(
      'rx',
      Array.from(rx, (x) => (x < 0.5 ? -0.1 : x)),
    );
    const first = await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.4 });
    expect(first.rebuilt).toBe(false);
    const count = async (of: readonly number[]) => {
      const cellFilter = { cells: [2, 1, 1] as const, mask: of };
      const result = await computeCellParticlePairs(grid, counted, ctx, {
        rcut: 2,
        cellFilter,
        ...total,
      });
      return result.ep;
    };
    // The other particle is in cell 0.
    expect(await count(mask)).toBe(periodic ? 1 : 2);
    expect(await count([1, 1])).toBe(2);
    expect(await count([0, 0])).toBe(0);
  });
});
