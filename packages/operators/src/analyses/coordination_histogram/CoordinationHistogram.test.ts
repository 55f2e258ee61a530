import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { createGrid } from '../../system/createGrid.js';
import { coordinationBlock } from '../coordination/neighborPairs.js';
import { CoordinationHistogram } from './CoordinationHistogram.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

it('sorts numbers into bins, counts those outside, and knows mean and deviation', async () => {
  const frames = [
    [0.5, 1.2, 1.99, 2, 3.7, 4, 4.2, 9],
    [-0.1, 0.99, 1, 2.5, 3.999, 5, 1.5, 3],
  ];
  const places = frames[0]!.map((_, k) => [k, 0, 0]);
  const grid = createGrid(frameOfPositions(places), [{ name: 'A', mass: 1 }], ctx.heap);
  const block = grid.addBlock(coordinationBlock);
  const histogram = new CoordinationHistogram(ctx, { min: 1, max: 4, bins: 3 });
  for (const numbers of frames) {
    numbers.forEach((cn, row) => {
      block.array[4 * row + 3] = cn;
    });
    block.hostWritten();
    await histogram.add(grid);
  }
  const all = frames.flat();
  const within = (from: number, to: number) => all.filter((cn) => cn >= from && cn < to).length / 2;
  const mean = all.reduce((sum, cn) => sum + cn) / all.length;
  const variance = all.reduce((sum, cn) => sum + (cn - mean) ** 2, 0) / all.length;
  const { standardDeviation, mean: found, ...counted } = histogram.result();
  expect(counted).toEqual({
    frames: 2,
    centers: [1.5, 2.5, 3.5],
    counts: [within(1, 2), within(2, 3), within(3, 4)],
    below: within(Number.NEGATIVE_INFINITY, 1),
    above: within(4, Number.POSITIVE_INFINITY),
  });
  expect(found).toBeCloseTo(mean, 13);
  expect(standardDeviation).toBeCloseTo(Math.sqrt(variance), 13);
  grid.free();
});
