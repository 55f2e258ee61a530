import { pairFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { filledGrid } from '../../shared/oracle.js';

const count = pairFunctor(
  { name: 'count', central: { ep: 'real' }, traits: { bufferless: false } },
  (i) => {
    i.ep += 1;
  },
);

it('a pair call in the buffered form survives a heap that grows while it is bound', async () => {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = filledGrid(ctx.heap, 200);
  updateNeighbors(grid, ctx, { rcut: 1, skin: 0.1 });
  const { heap } = ctx;
  const allocate = heap.allocate.bind(heap);
  let moved = 0;
  // The table of the buffered form takes 256 bytes: it comes to lie where the heap did not reach before.
  heap.allocate = (bytes) => {
    if (bytes === 256) {
      moved++;
      allocate(heap.memory.buffer.byteLength);
    }
    return allocate(bytes);
  };
  computeCellParticlePairs(grid, count, ctx, { rcut: 1 });
  expect(moved).toBeGreaterThan(0);
  expect(grid.block('force').array[3]).toBeGreaterThanOrEqual(0);
});
