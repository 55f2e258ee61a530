import { Domain, type Grid } from '@corpuscle/core';
import { blockFunctor, cellFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { blockParallelFor } from '../../src/pattern/blockParallelFor.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { createArray } from '../../src/plan/createArray.js';
import { gridOf } from '../shared/grids.js';
import { expectClose } from '../shared/oracle.js';
import { describeGpu } from '../support/gpu.js';
import { uncheckedDevice } from '../support/uncheckedDevice.js';

// Numbers at which WGSL's own operators give something else than JavaScript. The oracle is the direct call.

const reals = blockFunctor(
  {
    name: 'reals',
    arrays: { round: 'real', power: 'real', rest: 'real' },
    read: { x: 'real', y: 'real' },
  },
  (b, a) => {
    a.round[b.index] = Math.round(a.x[b.index]!);
    a.power[b.index] = a.x[b.index]! ** a.y[b.index]!;
    a.rest[b.index] = a.x[b.index]! % a.y[b.index]!;
  },
);

const ints = blockFunctor(
  {
    name: 'ints',
    arrays: { signed: 'i32', unsigned: 'u32', left: 'i32', right: 'i32', logical: 'u32' },
    read: { u: 'u32', k: 'i32' },
  },
  (b, a, _p, h) => {
    const [u, k] = [a.u[b.index]!, a.k[b.index]!];
    a.signed[b.index] = h.i32(u);
    a.unsigned[b.index] = h.u32(k);
    a.left[b.index] = k << u;
    a.right[b.index] = k >> u;
    a.logical[b.index] = k >>> u;
  },
);

/** Counts that WGSL refuses in text: it shifts by 32 and more only where it cannot see the count. */
const shifts = blockFunctor(
  {
    name: 'shifts',
    arrays: { left: 'i32', right: 'i32', logical: 'u32', same: 'u32' },
    read: { k: 'i32' },
  },
  (b, a) => {
    const k = a.k[b.index]!;
    a.left[b.index] = k << 33;
    a.right[b.index] = k >> 63;
    a.logical[b.index] = k >>> 36;
    a.same[b.index] = k >>> 32;
  },
);

const x = [0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0, 0, 0, 4, 7, -7, 7.5, 2 ** 22 + 0.5];
const y = [1, 2, 3, 1, 2, 3, 0.5, 1.5, 2, -0.5, 2, 2, -2.5, 0.25];
const u = [0, 1, 31, 32, 33, 2147483647, 2147483648, 3000000000, 4294967295];
const k = [1, -1, 5, -5, 2147483647, -2147483648, 7, -7, 3];

describeGpu('numbers on WebGPU', () => {
  describe.each(['f32', 'f64'] as const)('in %s', (precision) => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await createExecutionContext({ backend: 'webgpu', precision });
    });
    afterAll(() => ctx.close());

    type Schema = Readonly<Record<string, 'real' | 'i32' | 'u32'>>;
    async function onDevice(
      functor: typeof reals | typeof ints | typeof shifts,
      written: Schema,
      read: Schema,
      values: Readonly<Record<string, readonly number[]>>,
    ): Promise<void> {
      const count = Object.values(values)[0]!.length;
      const arrays = Object.fromEntries(
        Object.entries({ ...written, ...read }).map(([name, type]) => {
          const array = createArray(ctx, type, count);
          array.values.set(values[name] ?? new Array(count).fill(0));
          return [name, array];
        }),
      );
      const wanted = Object.fromEntries(
        Object.keys({ ...written, ...read }).map((name) => [name, [...arrays[name]!.values]]),
      );
      for (let index = 0; index < count; index++)
        functor.invoke(
          { index, x: index, y: 0, z: 0, lane: 0, size: 1 } as never,
          wanted as never,
          {} as never,
        );
      await blockParallelFor(count, functor as never, ctx, { arrays: arrays as never });
      for (const name of Object.keys(written)) {
        await newestOnHost(arrays[name]!, ctx);
        // Powers come from the device's exp2 and log2 in f32.
        const tolerance = name === 'power' ? 1e-5 : 0;
        expectClose(arrays[name]!.values, wanted[name]!, tolerance);
        arrays[name]!.free();
      }
    }

    it('round halves up, take roots of zero and keep the sign of the dividend', () =>
      onDevice(
        reals,
        { round: 'real', power: 'real', rest: 'real' },
        { x: 'real', y: 'real' },
        { x, y },
      ));

    it('saturate from unsigned to signed and back, and shift by the count modulo 32', () =>
      onDevice(
        ints,
        { signed: 'i32', unsigned: 'u32', left: 'i32', right: 'i32', logical: 'u32' },
        { u: 'u32', k: 'i32' },
        { u, k },
      ));

    it('shift by numbers of the text modulo 32', () =>
      onDevice(
        shifts,
        { left: 'i32', right: 'i32', logical: 'u32', same: 'u32' },
        { k: 'i32' },
        { k },
      ));
  });

  it('of a local array stay inside it when the index does not, without checks of the driver', async () => {
    const inside = cellFunctor(
      { name: 'inside', fields: { vx: 'real' }, params: { far: 'u32' } },
      (i, p) => {
        const before = [9, 9, 9, 9];
        const own = [1, 2, 3, 4];
        const after = [9, 9, 9, 9];
        for (let k = 0; k < 4; k++) own[k] *= before[p.far & 3]! - after[p.far & 3]! + 1;
        i.vx = own[p.far]!;
      },
    );
    const device = await uncheckedDevice();
    const ctx = await createExecutionContext({ backend: 'webgpu', precision: 'f32', device });
    const grid: Grid = gridOf(ctx.heap, Domain.orthorhombic([1, 1, 1]), [[0.5, 0.5, 0.5]]);
    for (const far of [3, 4, 5, 6, 8]) {
      computeCellParticles(grid, inside, ctx, { params: { far } });
      await newestOnHost(grid, ctx);
      expect([far, ...grid.values('vx')]).toEqual([far, 4]);
    }
    await ctx.close();
    device.destroy();
  });
});
