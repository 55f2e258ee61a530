import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
import { checkOverlap } from './checkOverlap.js';
import { createGrid } from './createGrid.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const edge = 9;
const box = [edge, 0, 0, 0, edge, 0, 0, 0, edge];
const others = Array.from({ length: 20 }, (_, k) => [
  0.4 * k + 0.3,
  4 + 3 * Math.sin(2 * k),
  4 + 3 * Math.cos(k),
]);

async function overlapOf(
  pair: readonly (readonly number[])[],
  lattice: readonly number[] | null = box,
): Promise<void> {
  const frame = frameOfPositions(
    [...others.slice(0, 7), pair[0]!, ...others.slice(7), pair[1]!],
    lattice,
  );
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  await updateNeighbors(grid, ctx, { rcut: 2, skin: 0 });
  try {
    await checkOverlap(grid, ctx, 2);
  } finally {
    grid.free();
  }
}

const near = 1e-7;
it.each([
  ['inside', [3.3, 8, 1], [3.3, 8, 1]],
  ['nearly', [3.3, 8, 1], [3.3 + near, 8, 1 - near]],
  ['through the boundary along x', [near, 8, 1], [edge - near, 8, 1]],
  ['through the boundary along y and z', [3.3, 0, edge], [3.3, edge, 0]],
  ['through a corner', [0, 0, 0], [edge, edge, edge]],
  ['far outside of the box', [3.3 + 5 * edge, 8, 1], [3.3, 8 - 2 * edge, 1]],
])('names two particles at the same place: %s', async (_, a, b) => {
  await expect(overlapOf([a, b])).rejects.toMatchObject({
    code: 'OVERLAP',
    message: expect.stringContaining('particles 7 and 21 are at the same place'),
  });
});

it('takes close particles without complaint, and particles at opposite ends of an open box', async () => {
  await overlapOf([
    [3.3, 8, 1],
    [3.3, 8, 1 + 1e-5],
  ]);
  await overlapOf(
    [
      [0, 8, 1],
      [edge, 8, 1],
    ],
    null,
  );
  await expect(
    overlapOf(
      [
        [edge, 8, 1],
        [edge, 8, 1],
      ],
      null,
    ),
  ).rejects.toMatchObject({
    message: expect.stringContaining('particles 7 and 21'),
  });
});
