import { Domain } from '@corpuscle/core';
import { neighborhoodFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import type { Precision } from '../../../src/plan/chooseBackend.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const share = neighborhoodFunctor(
  { name: 'share', central: { ep: 'real' }, scatter: { fx: 'real', fy: 'real' } },
  (i, b) => {
    i.ep += b.count;
    for (let k = 0; k < b.count; k++) {
      b.fx[k] += b.dx[k]! - 3e-9;
      b.fy[k] -= b.r2[k]! * 1e-3 + 7e4;
    }
  },
);

/** A dense clump among few others: far more neighbors than the rest of the list suggests. */
async function clump(ctx: ExecutionContext, reach: number, size = 40) {
  const next = sequence(3);
  const clumped = Array.from({ length: size }, () => [
    5 + 0.5 * next(),
    5 + 0.5 * next(),
    5 + 0.5 * next(),
  ]);
  const others = Array.from({ length: 150 }, () => [12 * next(), 12 * next(), 12 * next()]);
  const places = [...clumped, ...others] as [number, number, number][];
  const grid = gridOf(ctx.heap, Domain.orthorhombic([12, 12, 12]), places);
  await updateNeighbors(grid, ctx, { rcut: reach, skin: 0.2 });
  return grid;
}

describeGpu('neighborhoods on WebGPU', () => {
  it.each(runs<readonly Precision[]>(['f32'], ['mixed', 'f64']))(
    'leave no neighbor out where a particle has too many: %s',
    async (precision) => {
      await using ctx = await gpuContext(undefined, precision);
      const grid = await clump(ctx, 4);
      const outputs = { ep: 'both', fx: 'both', fy: 'particles' } as const;
      const totals = await computeCellParticlePairs(grid, share, ctx, { rcut: 1, outputs });
      await newestOnHost(grid, ctx);
      expect(engineOf(ctx).neighbors.lists(grid)!.capacity).toBeGreaterThan(40);
      const counts = new Float64Array(grid.count);
      const [fx, fy] = [new Float64Array(grid.count), new Float64Array(grid.count)];
      for (const { i, j, d, r2 } of bruteForcePairs(grid, 1)) {
        counts[i]! += 1;
        fx[j]! += d[0] - 3e-9;
        fy[j]! -= r2 * 1e-3 + 7e4;
      }
      expect(Math.max(...counts)).toBeGreaterThan(35);
      expect([...grid.values('ep')]).toEqual([...counts]);
      expect(totals.ep).toBe(counts.reduce((a, b) => a + b, 0));
      const isDouble = precision === 'f64';
      grid.values('fx').forEach((x, row) => {
        expect(Math.abs(x - fx[row]!)).toBeLessThan(isDouble ? 2e-13 : 2e-5);
      });
      grid.values('fy').forEach((x, row) => {
        const rounding = isDouble ? 1e-14 : 2e-7;
        expect(Math.abs(x - fy[row]!)).toBeLessThan(Math.abs(fy[row]!) * rounding + 1e-9);
      });
      const sum = fx.reduce((a, b) => a + b, 0);
      expect(Math.abs(totals.fx - sum)).toBeLessThan(isDouble ? 1e-11 : 1e-3);
    },
  );

  it.each(runs<readonly ['f32' | 'f64', number][]>([['f32', 400]], [['f64', 200]]))(
    'are taken by threads alone where shared memory is too small, and the kernel says why: %s',
    async (precision, size) => {
      await using ctx = await gpuContext(undefined, precision);
      const shared = neighborhoodFunctor(
        {
          name: 'many_values',
          central: { ep: 'real' },
          work: { x: 'real', y: 'real', z: 'real', x2: 'real', y2: 'real', z2: 'real' },
          traits: { blockShared: true },
        },
        (i, b) => {
          for (let k = b.lane; k < b.count; k += b.lanes) {
            [b.x[k], b.y[k], b.z[k]] = [b.dx[k]!, b.dy[k]!, b.dz[k]!];
            b.x2[k] = b.x[k]! * b.x[k]!;
            b.y2[k] = b.y[k]! * b.y[k]!;
            b.z2[k] = b.z[k]! * b.z[k]!;
            i.ep += 0.5 * (b.x2[k]! + b.y2[k]! + b.z2[k]! + b.r2[k]!);
          }
        },
      );
      const grid = await clump(ctx, 1, size);
      const engine = engineOf(ctx);
      engine.startProfile();
      await computeCellParticlePairs(grid, shared, ctx, { rcut: 1, outputs: { ep: 'particles' } });
      const { kernels } = await engine.profile();
      const why = /^many_values \(a thread a particle: \d+ neighbors take \d+ of 16384 bytes/;
      expect(kernels.filter(({ label }) => why.test(label))).toHaveLength(1);
      await newestOnHost(grid, ctx);
      const expected = new Float64Array(grid.count);
      for (const { i, r2 } of bruteForcePairs(grid, 1)) expected[i]! += r2;
      grid.values('ep').forEach((e, row) => {
        expect(Math.abs(e - expected[row]!)).toBeLessThan(precision === 'f64' ? 1e-12 : 2e-4);
      });
    },
  );

  itOnce('cannot move their neighbors', async () => {
    await using ctx = await gpuContext();
    const grid = await clump(ctx, 1);
    const push = neighborhoodFunctor(
      { name: 'push', central: { ep: 'real' }, scatter: { rx: 'real' } },
      (_i, b) => {
        for (let k = 0; k < b.count; k++) b.rx[k] += 1;
      },
    );
    const outputs = { rx: 'particles' } as const;
    const call = async () =>
      void (await computeCellParticlePairs(grid, push, ctx, { rcut: 1, outputs }));
    await expect(call()).rejects.toThrow(/moves particles \('rx'\)/);
  });
});
