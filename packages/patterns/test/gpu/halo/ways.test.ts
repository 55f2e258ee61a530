import { Domain, type FieldBlock, Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import type { DeviceHalo } from '../../../src/engine/DeviceHalo.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { velocity } from '../../shared/step.js';
import { closedBehindTests, describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const SIDE = 9;
const SEEN = 0.3;
const reach = { rcut: 1.5, skin: 0.4 };

const fly = cellFunctor(
  { name: 'fly', fields: { rx: 'real', ry: 'real', rz: 'real' }, read: velocity },
  (i) => {
    i.rx += 0.1 * i.vx;
    i.ry += 0.1 * i.vy;
    i.rz += 0.1 * i.vz;
  },
);

/** Lets a rank be its own neighbor. @returns bytes that travel */
async function exchange(halo: DeviceHalo, positions: FieldBlock): Promise<number> {
  const { bytes, release } = halo.send(positions);
  const sent = await bytes;
  const { length } = sent;
  const arriving = halo.arriving(positions);
  arriving.bytes.set(sent);
  release();
  arriving.take();
  return length;
}

const pointsOf = (grid: Grid): number[][] => {
  const { array } = grid.block('position');
  return Array.from({ length: grid.count }, (_, row) =>
    [0, 1, 2].map((axis) => Number(array[4 * row + axis])),
  );
};

// In double-single a way is a multiple of 2^-41 of the skin.
const precisions = [
  { precision: 'f32', bytes: 16, off: 1e-6 },
  { precision: 'f64', bytes: 32, off: 5e-13 },
] as const;

describeGpu('positions that others see', () => {
  const opened = closedBehindTests();

  it.each(precisions)(
    'travel as ways in half the bytes as long as lists serve, in $precision',
    async ({ precision, bytes, off: most }) => {
      const ctx = await opened(gpuContext(undefined, precision));
      const next = sequence(11);
      const places = Array.from(
        { length: 500 },
        () => [SIDE * next(), SIDE * next(), SIDE * next()] as const,
      );
      const domain = Domain.orthorhombic([SIDE, SIDE, SIDE], { periodic: [false, true, true] });
      const grid = gridOf(ctx.heap, domain, places);
      for (const name of ['vx', 'vy', 'vz'])
        grid.setValues(
          name,
          places.map(() => 2 * next() - 1),
        );
      const seen = new Grid(ctx.heap, domain);
      const halo = engineOf(ctx).openHalo(grid, seen);
      halo.setRegion({ lower: [-0.1, 0, 0], upper: [1.1, 1, 1] });
      const buildOwn = await halo.sort('own', reach);
      while (!(await buildOwn()));
      const { counts, border } = await halo.select([{ lower: [-1, -1, -1], upper: [SEEN, 2, 2] }]);
      const ghosts = counts[0]!;
      const region = { lower: [-0.1, 0, 0], upper: [1.1 + SEEN, 1, 1] };
      seen.resize(border + ghosts);
      halo.begin([{ frame: halo.frame, shift: [SIDE, 0, 0], ghosts }], region);
      const positions = grid.block('position');
      expect(await exchange(halo, positions)).toBe(bytes * ghosts);
      const build = await halo.sort('halo', reach);
      while (!(await build()));
      halo.sorted();
      for (let step = 0; step < 2; step++) {
        await prepareCellParticles(grid, fly, ctx).run();
        expect(await exchange(halo, positions)).toBe((bytes / 2) * ghosts);
      }
      await newestOnHost(grid, ctx);
      await newestOnHost(seen, ctx);
      const found = pointsOf(seen);
      // Where they have gone, seen once as they are and once beside the box.
      const ids = grid.block('id').array;
      const isSeen = (row: number): boolean => places[Number(ids[row])]![0] <= SIDE * SEEN;
      const known = pointsOf(grid).filter((_, row) => isSeen(row));
      expect(known).toHaveLength(ghosts);
      for (const [x, y, z] of known)
        for (const shift of [0, SIDE]) {
          const off = found.map((at) => {
            const [dx, dy, dz] = [at[0]! - x! - shift, at[1]! - y!, at[2]! - z!];
            return Math.hypot(
              dx,
              dy - SIDE * Math.round(dy / SIDE),
              dz - SIDE * Math.round(dz / SIDE),
            );
          });
          expect(Math.min(...off)).toBeLessThan(most);
        }
      halo.free();
    },
  );
});
