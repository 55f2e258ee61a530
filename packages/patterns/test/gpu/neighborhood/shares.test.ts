import { Domain } from '@corpuscle/core';
import { neighborhoodFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, gpuContext } from '../../support/gpu.js';

const hand = neighborhoodFunctor(
  { name: 'hand', central: { ep: 'real' }, read: { charge: 'real' }, scatter: { fx: 'real' } },
  (i, b) => {
    for (let k = 0; k < b.count; k++) {
      b.fx[k] += 4 * i.charge;
      b.fx[k] -= i.charge;
    }
  },
);

const pass = neighborhoodFunctor(
  { name: 'pass', central: { ep: 'real' }, read: { charge: 'real' }, scatter: { fx: 'real' } },
  (i, b) => {
    for (let k = 0; k < b.count; k++) b.fx[k] += i.charge;
  },
);

/** Particles in pairs, which see no other particle. */
async function pairs(ctx: ExecutionContext, count: number) {
  const places = Array.from({ length: count }, (_, k) => [
    2 * (k >> 1) + 0.5 * (k & 1) + 1,
    1,
    1,
  ]) as [number, number, number][];
  const grid = gridOf(ctx.heap, Domain.orthorhombic([count + 2, 6, 6]), places);
  await updateNeighbors(grid, ctx, { rcut: 1.2, skin: 0.1 });
  return grid;
}

describeGpu('what neighbors receive on WebGPU', () => {
  // Row k gives its neighbor 2^e, with e from -100 to 59, and something that cancels.
  it.each(['f32', 'f64'] as const)('is exact, whatever its size: %s', async (precision) => {
    await using ctx = await gpuContext(undefined, precision);
    const grid = await pairs(ctx, 160);
    const size = (row: number) => (row % 3 === 0 ? -1 : 1) * 2 ** ((row >> 1) * 2 - 100);
    grid.setValues(
      'charge',
      Array.from({ length: grid.count }, (_, row) => size(row)),
    );
    const outputs = { fx: 'particles' } as const;
    await computeCellParticlePairs(grid, hand, ctx, { rcut: 1, outputs });
    await newestOnHost(grid, ctx);
    const charges = grid.values('charge');
    const received = new Float64Array(grid.count);
    for (const { i, j } of bruteForcePairs(grid, 1)) received[j]! += 3 * charges[i]!;
    expect([...grid.values('fx')]).toEqual([...received]);
    expect(Math.max(...received)).toBeGreaterThan(2 ** 58);
  });

  it.each(['f32', 'f64'] as const)('is exact where it cancels: %s', async (precision) => {
    await using ctx = await gpuContext(undefined, precision);
    const next = sequence(9);
    const places = Array.from({ length: 60 }, () => [3 + next() / 2, 3, 3]) as [
      number,
      number,
      number,
    ][];
    const grid = gridOf(ctx.heap, Domain.orthorhombic([6, 6, 6]), places);
    // Large ones come twice, with both signs; what is left is up to 2^100 times smaller.
    const small = Array.from({ length: 20 }, () => Math.fround((next() - 0.5) * 2 ** -50));
    const large = Array.from({ length: 20 }, () =>
      Math.fround((next() - 0.5) * 2 ** (50 * next())),
    );
    const charges = [...small, ...large, ...large.map((x) => -x)];
    grid.setValues('charge', charges);
    await updateNeighbors(grid, ctx, { rcut: 1.2, skin: 0.1 });
    const outputs = { fx: 'particles' } as const;
    await computeCellParticlePairs(grid, pass, ctx, { rcut: 1, outputs });
    await newestOnHost(grid, ctx);
    const left = small.reduce((a, b) => a + b, 0);
    const rounding = precision === 'f32' ? 2 ** -23 : 2 ** -45;
    const found = grid.values('fx');
    // Everybody gives to everybody else.
    grid.rowsById().forEach((row, id) => {
      const wanted = left - charges[id]!;
      expect(Math.abs(found[row]! - wanted)).toBeLessThan(rounding * Math.abs(wanted));
    });
  });

  it('is NaN where a share is beyond what can be added up, and nowhere else', async () => {
    await using ctx = await gpuContext();
    const grid = await pairs(ctx, 8);
    const [huge, odd] = [0, 4];
    grid.setValues('charge', [2 ** 61, 1, 1, 1, Number.NaN, 1, 1, 1]);
    const outputs = { fx: 'particles' } as const;
    await computeCellParticlePairs(grid, hand, ctx, { rcut: 1, outputs });
    await newestOnHost(grid, ctx);
    const reached = bruteForcePairs(grid, 1).filter(({ i }) => i === huge || i === odd);
    const lost = new Set(reached.map(({ j }) => j));
    expect(lost.size).toBe(2);
    expect([...grid.values('fx')]).toEqual(
      Array.from({ length: 8 }, (_, row) => (lost.has(row) ? Number.NaN : 3)),
    );
  });
});
