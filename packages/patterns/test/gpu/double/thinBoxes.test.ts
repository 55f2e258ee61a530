import { Domain } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { bruteForcePairs } from '../../shared/bruteForce.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { closedBehindTests, describeGpu, gpuContext } from '../../support/gpu.js';

const rcut = 3.2;
const COUNT = 150;

const lengths = pairFunctor(
  { name: 'lengths', central: { fx: 'real', fy: 'real', fz: 'real' }, traits: { newton3: false } },
  (i, _j, d) => {
    i.fx += d.x * d.x;
    i.fy += d.y * d.y;
    i.fz += d.z * d.z;
  },
);

describeGpu('differences of positions in double-single', () => {
  const opened = closedBehindTests();

  // Cells are up to twice as wide as lists reach: particles are far from the centers of theirs.
  it.each([6.5, 6.9, 7.9, 9.9, 13.9])('keep their digits in a box of %d', async (side) => {
    const ctx = await opened(gpuContext(undefined, 'f64'));
    const next = sequence(3);
    const place = () => [side * next(), side * next(), side * next()] as const;
    const domain = Domain.orthorhombic([side, side, side]);
    const grid = gridOf(ctx.heap, domain, Array.from({ length: COUNT }, place));
    await updateNeighbors(grid, ctx, { rcut, skin: 0.3 });
    await computeCellParticlePairs(grid, lengths, ctx, { rcut });
    await newestOnHost(grid, ctx);
    const known = Array.from({ length: COUNT }, () => [0, 0, 0]);
    for (const { i, d } of bruteForcePairs(grid, rcut))
      for (const axis of [0, 1, 2]) known[i]![axis]! += d[axis]! ** 2;
    const size = Math.max(...known.flat());
    for (const [axis, name] of ['fx', 'fy', 'fz'].entries())
      grid.values(name).forEach((found, row) => {
        expect(Math.abs(found - known[row]![axis]!)).toBeLessThan(1e-12 * size);
      });
  });
});
