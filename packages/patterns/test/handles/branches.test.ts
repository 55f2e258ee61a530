import { blockFunctor, cellFunctor } from '@corpuscle/functor';
import { describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import type { PatternHandle } from '../../src/handles/PatternHandle.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { explain } from '../../src/pattern/explain.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { createArray } from '../../src/plan/createArray.js';
import { addVelocity } from '../shared/functors.js';
import { filledGrid } from '../shared/oracle.js';
import { describeGpu, gpuContext } from '../support/gpu.js';

const params = { x: 1, y: 2, z: 3 };

/** Turns that depend on each other: time that no compiler takes away. */
const burn = blockFunctor(
  { name: 'burn', arrays: { out: 'real' }, params: { turns: 'u32' } },
  (b, a, p, h) => {
    let x = h.real(b.index);
    for (let k = h.u32(0); k < p.turns; k++) x = x * 0.999 + 1;
    if (b.lane === 0) a.out[b.index] = x;
  },
);

const twice = cellFunctor({ name: 'twice', fields: { q: 'real' } }, (i) => {
  i.q = 2 * i.q;
});

/** Branches of a context, begun. */
function opened(ctx: ExecutionContext) {
  const [slow, fast] = [ctx.openBranch('slow')!, ctx.openBranch('fast')!];
  slow.begin();
  fast.begin();
  return { slow, fast };
}

/**
 * A call of one branch that has to wait, made by `wait`, holds up that branch alone.
 */
async function holdsUpItsOwn(
  ctx: ExecutionContext,
  wait: (branch: ExecutionContext) => PatternHandle<unknown>,
  go: (branch: ExecutionContext) => PatternHandle<unknown>,
): Promise<void> {
  const { slow, fast } = opened(ctx);
  const ends: string[] = [];
  const waiting = wait(slow.context);
  const going = go(fast.context);
  expect(waiting.done).toBe(false);
  await Promise.all([
    waiting.wait().then(() => ends.push('slow')),
    going.wait().then(() => ends.push('fast')),
  ]);
  expect(ends).toEqual(['fast', 'slow']);
  expect(explain(addVelocity, slow.context).reason).toMatch(/in the lane of its branch$/);
  await slow.end();
  await fast.end();
  expect(slow.context.order).toBe(ctx.order);
}

describe('a branch of the program on the CPU', () => {
  it('does not hold up other branches while its calls run', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 2 });
    await ctx.ready();
    const call = (branch: ExecutionContext, turns: number) =>
      blockParallelFor(64, burn, branch, {
        arrays: { out: createArray(ctx, 'real', 64) },
        params: { turns },
        asynchronous: true,
        chunk: 1,
      });
    const wait = (branch: ExecutionContext) => {
      void call(branch, 10);
      return call(branch, 2_000_000);
    };
    await holdsUpItsOwn(ctx, wait, (branch) => call(branch, 10));
  });
});

describeGpu('a branch of the program on WebGPU', () => {
  it('does not hold up other branches while it waits for the device', async () => {
    await using ctx = await gpuContext();
    const grid = filledGrid(ctx.heap, 300);
    computeCellParticles(grid, addVelocity, ctx, { params });
    const [before, vx] = [grid.values('q'), grid.values('vx')];
    await holdsUpItsOwn(
      ctx,
      // The host has no velocities yet: the call waits for them.
      (branch) => computeCellParticles(grid, addVelocity, branch, { params, backend: 'cpu' }),
      (branch) => computeCellParticles(grid, twice, branch),
    );
    await newestOnHost(grid, ctx);
    expect([...grid.values('q')]).toEqual([...before].map((q) => Math.fround(2 * q)));
    expect([...grid.values('vx')]).toEqual([...vx].map((v) => Math.fround(Math.fround(v) + 1) + 1));
    grid.free();
  });
});
