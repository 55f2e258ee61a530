import {
  createExecutionContext,
  type ExecutionContext,
  type NeighborUpdate,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
import { createGrid } from '../system/createGrid.js';
import { RunUpdates } from './RunUpdates.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const update = (parts: Partial<NeighborUpdate> = {}): NeighborUpdate => ({
  rebuilt: false,
  reason: '',
  maxDisplacement: 0,
  ...parts,
});
const gridWith = (x: number) => {
  const grid = createGrid(frameOfPositions([[0, 0, 0]]), [{ name: 'A', mass: 1 }], ctx.heap);
  grid.setValues('rx', [x]);
  return grid;
};

it('counts rebuilds, and knows the latest skin', () => {
  const updates = new RunUpdates(gridWith(0), ctx, 1);
  for (const rebuilt of [true, false, true]) {
    updates.asked(0);
    updates.found(update({ rebuilt, tunedSkin: 0.4 }));
  }
  expect(updates.rebuilds).toBe(3);
  expect(updates.tunedSkin).toBe(0.4);
  expect(updates.check()).toBeUndefined();
});

it('names the step in which particles moved too far, however many updates are under way', () => {
  const updates = new RunUpdates(gridWith(Number.NaN), ctx, 0);
  // More are asked for than found for a long time, so that the room for them grows while it is in use.
  let found = 0;
  const find = () => updates.found(update({ maxDisplacement: found++ === 433 ? Infinity : 0.1 }));
  for (let step = 0; step < 1500; step++) {
    updates.asked(step);
    if (step % 3 === 0) find();
  }
  expect(() => updates.check()).toThrow(/blew up at step 433\b/);
  while (found < 1500) find();
  expect(() => updates.check()).toThrow(/blew up at step 433\b/);
});

it('waits for nothing where nothing is under way', async () => {
  await new RunUpdates(gridWith(0), ctx, 0).settled();
});
