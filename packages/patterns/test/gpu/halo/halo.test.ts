import { type BlockSpec, Domain, Grid, imageFlags } from '@corpuscle/core';
import { expect, it } from 'vitest';
import type { HaloRegion } from '../../../src/engine/DeviceHalo.js';
import { ExactFrames } from '../../../src/gpu/halo/ExactFrames.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { closedBehindTests, describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

it('high parts of frames add up without rounding in single precision', () => {
  const frame = { edges: [0.351, 0, 0, 0.07, 2.83, 0, -0.1, 0.3, 2.79], center: [3, 5, -7] };
  const shift = [534.21, -267.1, 19.7];
  const exact = new ExactFrames([frame], [shift]);
  const all = [0, 3, 6].map((k) => exact.parts(frame.edges.slice(k, k + 3)));
  const moved = exact.parts(shift);
  const next = sequence(3);
  for (let n = 0; n < 200; n++) {
    const cells = all.map(() => Math.floor(1024 * next()));
    for (let axis = 0; axis < 3; axis++) {
      let [single, double] = [Math.fround(moved.high[axis]!), moved.high[axis]!];
      all.forEach(({ high }, k) => {
        single = Math.fround(single + Math.fround(cells[k]! * Math.fround(high[axis]!)));
        double += cells[k]! * high[axis]!;
      });
      expect(single).toBe(double);
    }
  }
});

const SIDE = 12;
const half = (lower: number, upper: number): HaloRegion => ({
  lower: [lower, -Infinity, -Infinity],
  upper: [upper, Infinity, Infinity],
});

describeGpu('particles of a rank on a device', () => {
  const opened = closedBehindTests();

  /** Particles in and a little outside of a box that is open along x, with a mark of their own each. */
  async function particles(count: number, precision: 'f32' | 'mixed' = 'f32') {
    const ctx = await opened(gpuContext(undefined, precision));
    const next = sequence(count);
    const places = Array.from({ length: count }, () => [
      SIDE * (1.1 * next() - 0.05),
      SIDE * next(),
      SIDE * next(),
    ]);
    const domain = Domain.orthorhombic([SIDE, SIDE, SIDE], { periodic: [false, true, true] });
    const grid: Grid = gridOf(ctx.heap, domain, places as never);
    grid.addBlock(imageFlags);
    const mark = {
      name: 'mark',
      type: 'u32',
      width: 1,
      members: ['mark'],
    } as const satisfies BlockSpec;
    const { array } = grid.addBlock(mark);
    for (let row = 0; row < count; row++) array[row] = 1000 + row;
    grid.block('mark').hostWritten();
    const halo = engineOf(ctx).openHalo(grid, new Grid(ctx.heap, domain));
    return { ctx, grid, halo, places };
  }

  it('are found in regions as a loop over all finds them', async () => {
    for (const count of [1, 700, 3000]) {
      const { halo, places } = await particles(count);
      const regions = [half(0, 0.21), half(0.17, 0.6), half(0.9, 1.2)];
      const { counts, border } = await halo.select(regions);
      const isIn = ([x]: readonly number[], { lower, upper }: HaloRegion) =>
        x! / SIDE >= lower[0]! && x! / SIDE <= upper[0]!;
      const known = regions.map((one) => places.filter((place) => isIn(place, one)).length);
      expect(counts).toEqual(known);
      expect(border).toBe(places.filter((at) => regions.some((one) => isIn(at, one))).length);
      halo.free();
    }
  });

  it.each([
    { precision: 'f32', off: 3e-6 },
    { precision: 'mixed', off: 2e-13 },
  ] as const)(
    'go to the brick that they are in, and keep all that they have, in $precision',
    async ({ precision, off }) => {
      const { ctx, grid, halo, places } = await particles(900, precision);
      const bricks = [half(0, 0.4), half(0.4, 1)];
      const leaving = await halo.leave({ bricks, rank: 0, wrapped: [true, false, false] });
      const boxOf = (x: number) => Math.floor(x / SIDE);
      const inBox = (x: number) => x / SIDE - boxOf(x);
      const goes = ([x]: readonly number[]) => inBox(x!) >= 0.4;
      const returns = ([x]: readonly number[]) => !goes([x!]) && boxOf(x!) !== 0;
      expect(leaving.map(({ count }) => count)).toEqual([
        places.filter(returns).length,
        places.filter(goes).length,
      ]);
      // Those that have only left the box come back to this rank; the others come from another one that has the same.
      const kept = halo.arrive(leaving, [halo.frame, halo.frame]);
      expect(kept).toBe(900);
      await newestOnHost(grid, ctx);
      const [marks, flags] = ['mark', imageFlags.name].map((name) => grid.block(name).array);
      const rows = Array.from({ length: kept }, (_, row) => row);
      expect(rows.map((row) => Number(marks![row])).sort((a, b) => a - b)).toEqual(
        rows.map((row) => 1000 + row),
      );
      const positions = grid.block('position').array;
      for (const row of rows) {
        const place = places[Number(marks![row]) - 1000]!;
        const boxes = goes(place) || returns(place) ? boxOf(place[0]!) : 0;
        expect(Number(flags![4 * row])).toBe(boxes);
        expect(Math.abs(Number(positions[4 * row]) - (place[0]! - boxes * SIDE))).toBeLessThan(off);
        for (const axis of [1, 2])
          expect(Math.abs(Number(positions[4 * row + axis]) - place[axis]!)).toBeLessThan(off);
      }
      halo.free();
    },
  );
});
