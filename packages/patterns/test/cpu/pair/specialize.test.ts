import { Domain } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';

// Counts pairs three ways: two thresholds of r2, one of them in a table, each decided or not at plan time.
const counts = pairFunctor(
  {
    name: 'counts',
    central: { near: 'real', far: 'real', listed: 'real' },
    params: { a: 'real', b: 'real[]', k: 'u32' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    if (d.r2 < p.a) i.near += 1;
    if (p.b[p.k]! <= d.r2) i.far += 1;
    i.listed += 1;
  },
);

it.each(['simd', 'scalar', 'javascript'] as const)(
  'comparisons of r2 are decided by the cutoff only where it covers them (%s)',
  async (lowering) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1, lowering });
    const places = Array.from({ length: 300 }, (_, k): [number, number, number] => [
      ((k * 0.754877) % 1) * 6,
      ((k * 0.56984) % 1) * 6,
      ((k * 0.43016) % 1) * 6,
    ]);
    const grid = gridOf(ctx.heap, Domain.orthorhombic([6, 6, 6]), places);
    const rcut = 1.5;
    updateNeighbors(grid, ctx, { rcut, skin: 0.2 });
    const pairs = bruteForcePairs(grid, rcut);
    const outputs = { near: 'total', far: 'total', listed: 'total' } as const;
    // One functor on one grid: a kernel made for one set of thresholds must not serve another.
    for (const a of [1, 2, 2.25, 4, 1]) {
      for (const b of [[1], [2.2], [2.25], [9], [1, 4]]) {
        const params = { a, b, k: 0 };
        const { value } = computeCellParticlePairs(grid, counts, ctx, { rcut, params, outputs });
        expect(value).toEqual({
          near: pairs.filter(({ r2 }) => r2 < a).length,
          far: pairs.filter(({ r2 }) => b[0]! <= r2).length,
          listed: pairs.length,
        });
      }
    }
  },
);
