import { Domain } from '@corpuscle/core';
import { expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { neighbourhoodFunctor } from '../../src/functor/neighbourhoodFunctor.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbours } from '../../src/pattern/updateNeighbours.js';
import { bruteForcePairs } from '../shared/bruteForce.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../support/gpu.js';

const share = neighbourhoodFunctor(
  { name: 'share', central: { ep: 'real' }, scatter: { fx: 'real', fy: 'real' } },
  (i, b) => {
    i.ep += b.count;
    for (let k = 0; k < b.count; k++) {
      b.fx[k] += b.dx[k]! - 3e-9;
      b.fy[k] -= b.r2[k]! * 1e-3 + 7e4;
    }
  },
);

/** A dense clump among few others: far more neighbours than the rest of the list suggests. */
async function clump(ctx: ExecutionContext) {
  const next = sequence(3);
  const clumped = Array.from({ length: 40 }, () => [
    5 + 0.5 * next(),
    5 + 0.5 * next(),
    5 + 0.5 * next(),
  ]);
  const others = Array.from({ length: 150 }, () => [12 * next(), 12 * next(), 12 * next()]);
  const places = [...clumped, ...others] as [number, number, number][];
  const grid = gridOf(ctx.heap, Domain.orthorhombic([12, 12, 12]), places);
  await updateNeighbours(grid, ctx, { rcut: 4, skin: 0.2 });
  const outputs = { ep: 'both', fx: 'both', fy: 'particles' } as const;
  const totals = await computeCellParticlePairs(grid, share, ctx, { rcut: 1, outputs });
  await newestOnHost(grid, ctx);
  return { grid, totals };
}

describeGpu('neighbourhoods on WebGPU', () => {
  it.each(['f32', 'mixed', 'f64'] as const)(
    'leave nobody out where a particle has too many: %s',
    async (precision) => {
      await using ctx = await gpuContext(undefined, precision);
      const { grid, totals } = await clump(ctx);
      expect(engineOf(ctx).neighbours.lists(grid)!.capacity).toBeGreaterThan(40);
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
      grid.values('fx').forEach((x, row) => {
        expect(Math.abs(x - fx[row]!)).toBeLessThan(2e-5);
      });
      grid.values('fy').forEach((x, row) => {
        expect(Math.abs(x - fy[row]!)).toBeLessThan(Math.abs(fy[row]!) * 2e-7 + 1e-9);
      });
      expect(Math.abs(totals.fx - fx.reduce((a, b) => a + b, 0))).toBeLessThan(1e-3);
    },
  );
});
