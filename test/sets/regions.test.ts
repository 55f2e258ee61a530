// 50 random regions and 10,000 points: the same in LAMMPS' `region`, on the host, and on every backend.

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import {
  addGroupMask,
  createGrid,
  isInside,
  type Region,
  type RegionExpression,
  resolveRegion,
  selectParticles,
} from '@corpuscle/operators';
import { computeCellParticles, type ExecutionContext, newestOnHost } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { openTargets } from '../patternMatrix/support/targets.js';
import { frameOfPositions } from '../support/frameOfPositions.js';
import { HALF, points, regions, shifted } from '../support/randomRegions.js';
import { isLong } from '../support/runs.js';

interface Inside {
  readonly count: number;
  readonly sha256: string;
}

const lammps: Readonly<Record<'points' | 'shifted', readonly Inside[]>> = JSON.parse(
  readFileSync(new URL('../data/regions/inside.json', import.meta.url), 'utf8'),
);

const unknown = (name: string): never => {
  throw new Error(name);
};
const names = { region: unknown, type: unknown, group: unknown };
const resolved = regions.map(({ expression }) => resolveRegion(expression, names));

const summary = (bits: ArrayLike<number>): Inside => ({
  count: Array.from(bits).filter((bit) => bit === 1).length,
  sha256: createHash('sha256').update(Uint8Array.from(bits)).digest('hex').slice(0, 32),
});
const onHost = (region: Region) =>
  points.map(([rx, ry, rz]) => (isInside(region, { rx, ry, rz }) ? 1 : 0));

it('isInside finds the points that LAMMPS finds', () => {
  expect(resolved.map((region) => summary(onHost(region)))).toEqual(lammps.points);
});

function gridOf(places: typeof points, { heap }: ExecutionContext) {
  const edge = 2 * HALF;
  const frame = frameOfPositions(places, [edge, 0, 0, 0, edge, 0, 0, 0, edge], {
    origin: [-HALF, -HALF, -HALF],
  });
  return createGrid(frame, [{ name: 'A', mass: 1 }], heap);
}

for (const { name, ctx } of await openTargets('state')) {
  // The software adapter is slow to compile in double-single.
  if (isLong !== (name === 'webgpu f64')) continue;
  const places = ctx.backend === 'cpu' ? points : shifted;
  const expected = ctx.backend === 'cpu' ? lammps.points : lammps.shifted;
  it(`${name}: kernels find the points that LAMMPS finds`, async () => {
    const grid = gridOf(places, ctx);
    addGroupMask(grid);
    // 30 regions in one go: a particle has so many groups.
    for (let first = 0; first < resolved.length; first += 30) {
      const those = resolved.slice(first, first + 30);
      for (const [k, region] of those.entries()) {
        const { functor, params } = selectParticles(region, 2 << k);
        await computeCellParticles(grid, functor, ctx, { params });
      }
      await newestOnHost(grid, ctx, ['group_mask']);
      const order = grid.rowsById();
      const masks = grid.values('group_mask');
      const found = those.map((_, k) =>
        summary(Array.from(order, (row) => (masks[row]! >>> (k + 1)) & 1)),
      );
      expect(found).toEqual(expected.slice(first, first + those.length));
    }
    grid.free();
  });

  it(`${name}: kernels find what the host finds in quadrics, cylinders without ends and fields`, async () => {
    const grid = gridOf(places, ctx);
    addGroupMask(grid);
    const others: readonly RegionExpression[] = [
      { quadric: { xx: 4, yy: 1, zz: 2, xy: 1, x: -2, constant: -16 } },
      { quadric: { xx: 1, yy: -1, yz: 0.5, z: 0.25, constant: 1 } },
      { cylinder: { from: [0.5, 0, 1], to: [0.5, 4, 1], radius: 3, infinite: true } },
      { field: { name: 'ry', min: -2, max: 3 }, complement: { ids: { first: 10, last: 9000 } } },
      { field: { name: 'id', max: 5000.5 }, ids: { first: 3, last: 9999, stride: 7 } },
      { ids: [7, 5, 9998, 12] },
    ];
    for (const [k, expression] of others.entries()) {
      const region = resolveRegion(expression, names);
      const { functor, params } = selectParticles(region, 2);
      await computeCellParticles(grid, functor, ctx, { params });
      await newestOnHost(grid, ctx, ['group_mask']);
      const [order, masks] = [grid.rowsById(), grid.values('group_mask')];
      const found = Array.from(order, (row) => (masks[row]! & 2) !== 0);
      const inside = places.map(([rx, ry, rz], id) => isInside(region, { rx, ry, rz, id }));
      expect(found, `region ${k}`).toEqual(inside);
      expect(inside.filter(Boolean).length).toBeGreaterThan(3);
    }
    grid.free();
  });
}
