import { cellFunctor, withFunctionText } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { addVelocity } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';
import { closedBehindTests, describeGpu, gpuContext } from '../support/gpu.js';

/** WGSL compilers nest to a depth of about 127 at most; wasm and JavaScript have no such limit. */
const DEPTH = 130;
const deep = cellFunctor(
  { name: 'deep', fields: { vx: 'real' } },
  withFunctionText(
    (i: { vx: number }) => {
      i.vx += 1;
    },
    `(i) => { ${'if (i.vx > -1e9) { '.repeat(DEPTH)} i.vx += 1; ${'}'.repeat(DEPTH)} }`,
  ),
);

describeGpu('a functor that WGSL refuses', () => {
  const opened = closedBehindTests();

  it('ends its own call with its name, and no other', async () => {
    const ctx = await opened(gpuContext());
    const grid = filledGrid(ctx.heap, 100);
    const params = { x: 1, y: 2, z: 3 };
    await computeCellParticles(grid, addVelocity, ctx, { params });
    await newestOnHost(grid, ctx);
    const before = grid.values('vx')[7]!;
    for (let k = 0; k < 2; k++)
      await expect(async () => computeCellParticles(grid, deep, ctx)).rejects.toMatchObject({
        code: 'DEVICE_VALIDATION',
        message: expect.stringContaining('deep'),
      });
    await computeCellParticles(grid, addVelocity, ctx, { params });
    await newestOnHost(grid, ctx);
    expect(grid.values('vx')[7]!).toBeCloseTo(before + 1, 5);
  });
});
