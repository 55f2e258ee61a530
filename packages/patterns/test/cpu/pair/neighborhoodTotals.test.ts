import { Domain } from '@corpuscle/core';
import { neighborhoodFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';

/** `far` is looked at and overwritten; `large` is added to, in numbers that need all 32 bits. */
const outputs = neighborhoodFunctor(
  { name: 'totals', central: { far: 'real', large: 'u32' }, params: { step: 'u32' } },
  (i, b, p) => {
    for (let k = 0; k < b.count; k++) {
      i.far = Math.max(i.far, b.r2[k]!);
      i.large += p.step;
    }
  },
);

it.each(['simd', 'javascript'] as const)(
  'a total is what a call changes, whatever the outputs held, and unsigned numbers stay so (%s)',
  async (lowering) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1, lowering });
    // Two pairs, at distances 1 and 1.5, and one particle alone.
    const grid = gridOf(ctx.heap, Domain.orthorhombic([20, 20, 20]), [
      [1, 1, 1],
      [2, 1, 1],
      [6, 6, 6],
      [6, 7.5, 6],
      [12, 12, 12],
    ]);
    grid.addBlock({ name: 'far', type: 'f64', width: 1, members: ['far'] });
    grid.addBlock({ name: 'large', type: 'u32', width: 1, members: ['large'] });
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.2 });
    const held = [0.25, 4, 0.5, 1, 7];
    const ids = grid.values('id');
    grid.setValues(
      'far',
      Array.from(ids, (id) => held[id]!),
    );
    const call = { rcut: 2, params: { step: 3000000000 } } as const;
    await computeCellParticlePairs(grid, outputs, ctx, {
      ...call,
      outputs: { far: 'particles', large: 'none' },
    });
    const after = [1, 4, 2.25, 2.25, 7];
    expect([...grid.values('far')]).toEqual(Array.from(ids, (id) => after[id]!));
    grid.setValues(
      'far',
      Array.from(ids, (id) => held[id]!),
    );
    const totals = await computeCellParticlePairs(grid, outputs, ctx, {
      ...call,
      outputs: { far: 'both', large: 'total' },
    });
    expect(totals).toEqual({ far: 0.75 + 0 + 1.75 + 1.25 + 0, large: 4 * 3000000000 });
  },
);
