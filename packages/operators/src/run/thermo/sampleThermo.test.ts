import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { createGrid } from '../../system/createGrid.js';
import { sampleThermo } from './sampleThermo.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const box = [10, 0, 0, 0, 11, 0, 0, 0, 12];
const NO_FORCES = { energy: 0, virial: [0, 0, 0, 0, 0, 0] } as const;

function moving(velocity: readonly (readonly number[])[], mass: readonly number[]) {
  const places = velocity.map((_, k) => [k, k, k]);
  const parts = { velocity: Float64Array.from(velocity.flat()), mass: Float64Array.from(mass) };
  return createGrid(frameOfPositions(places, box, parts), [{ name: 'A', mass: 1 }], ctx.heap);
}

it('takes the kinetic part of the pressure tensor as Σ m v_a v_b over the volume', async () => {
  const velocity = Array.from({ length: 9 }, (_, k) => [
    Math.sin(k),
    Math.cos(2 * k),
    Math.sin(3 * k + 1),
  ]);
  const mass = velocity.map((_, k) => 1 + 0.5 * k);
  const row = await sampleThermo(moving(velocity, mass), ctx, {
    step: 0,
    time: 0,
    totals: NO_FORCES,
  });
  const sum = (a: number, b: number) =>
    velocity.reduce((total, v, k) => total + mass[k]! * v[a]! * v[b]!, 0);
  const volume = 10 * 11 * 12;
  const tensor = { pxx: [0, 0], pyy: [1, 1], pzz: [2, 2], pxy: [0, 1], pxz: [0, 2], pyz: [1, 2] };
  for (const [name, [a, b]] of Object.entries(tensor))
    expect(row[name as keyof typeof tensor], name).toBeCloseTo(sum(a!, b!) / volume, 14);
  expect(row.kinetic_energy).toBeCloseTo((sum(0, 0) + sum(1, 1) + sum(2, 2)) / 2, 12);
});

it('notices a particle that crosses the box many times in one step', async () => {
  const grid = moving(
    [
      [1, 0, 0],
      [0, -30, 40],
    ],
    [1, 1],
  );
  const sample = async (dt?: number) =>
    sampleThermo(grid, ctx, { step: 7, time: 0, totals: NO_FORCES, dt });
  // Its speed is 50; ten times the longest height of the box is 120.
  await expect(sample(2.39)).resolves.toMatchObject({ step: 7 });
  await expect(sample()).resolves.toMatchObject({ step: 7 });
  await expect(sample(2.41)).rejects.toMatchObject({
    code: 'NOT_FINITE',
    message: expect.stringMatching(/step 7 at particle 1/),
  });
});
