import { type BlockSpec, Domain, type FieldBlock, Grid } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { closedBehindTests, describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const SIDE = 9;
const reach = { rcut: 1.5, skin: 0.4 };
const isOwn = { name: 'is_own', type: 'u32', width: 1, members: ['is_own'] } as const;

const blockOf = (name: string, type: 'f64' | 'u32', width: 1 | 4): BlockSpec => ({
  name,
  type,
  width,
  members: Array.from({ length: width }, (_, k) => (width === 1 ? name : `${name}${k}`)),
});
const marks = [blockOf('mark', 'f64', 1), blockOf('push', 'f64', 4), blockOf('hits', 'u32', 1)];

describeGpu('a halo of all particles of a rank', () => {
  const opened = closedBehindTests();

  it.each([
    ['f32', 1e-7],
    ['f64', 1e-14],
  ] as const)(
    'gives what ghosts receive back to their particles, also to one that is seen twice, in %s',
    async (precision, most) => {
      const ctx = await opened(gpuContext(undefined, precision));
      const next = sequence(5);
      const places = Array.from(
        { length: 400 },
        () => [SIDE * next(), SIDE * next(), SIDE * next()] as const,
      );
      const domain = Domain.orthorhombic([SIDE, SIDE, SIDE], { periodic: [false, true, true] });
      const grid = gridOf(ctx.heap, domain, places);
      const blocks = marks.map((one) => grid.addBlock(one));
      const seen = new Grid(ctx.heap, domain);
      const halo = engineOf(ctx).openHalo(grid, seen, isOwn);
      const buildOwn = await halo.sort('own', reach);
      while (!(await buildOwn()));
      // The rank is its own neighbor at both sides, and what is near to the middle is seen on both.
      const regions = [
        { lower: [-1, -1, -1], upper: [0.6, 2, 2] },
        { lower: [0.4, -1, -1], upper: [2, 2, 2] },
      ];
      const { counts, border } = await halo.select(regions);
      expect(border).toBe(grid.count);
      const ghosts = counts[0]! + counts[1]!;
      seen.resize(border + ghosts);
      const { frame } = halo;
      halo.begin(
        [
          { frame, shift: [SIDE, 0, 0], ghosts: counts[0]! },
          { frame, shift: [-SIDE, 0, 0], ghosts: counts[1]! },
        ],
        { lower: [-1.1, 0, 0], upper: [2.1, 1, 1] },
      );
      await travel(grid.block('position'));
      const build = await halo.sort('halo', reach);
      while (!(await build()));
      halo.sorted();
      await newestOnHost(seen, ctx);
      expect(seen.values('is_own').reduce((sum, one) => sum + one, 0)).toBe(grid.count);

      // Marks of own particles are all one, and so are those of ghosts: each has one more for each time that it is seen.
      await newestOnHost(grid, ctx);
      for (const block of blocks) {
        block.array.fill((block.spec.type === 'u32' ? 1 : 1 / 3) as never);
        block.hostWritten();
        seen.addBlock(block.spec);
        await travel(block);
        const { bytes, release } = halo.sendBack(block);
        const arriving = halo.arrivingBack(block);
        arriving.bytes.set(await bytes);
        release();
        arriving.take();
      }
      halo.submit();
      await newestOnHost(grid, ctx);
      const x = grid.values('rx');
      for (const { array, spec } of blocks)
        for (let k = 0; k < spec.width * grid.count; k++) {
          const s = x[Math.floor(k / spec.width)]! / SIDE;
          const seenIn = 1 + Number(s <= 0.6) + Number(s >= 0.4);
          const known = spec.type === 'u32' ? seenIn : seenIn / 3;
          expect(Math.abs(Number(array[k]) - known), spec.name).toBeLessThan(most);
        }
      halo.free();

      async function travel(block: FieldBlock): Promise<void> {
        const { bytes, release } = halo.send(block);
        const arriving = halo.arriving(block);
        arriving.bytes.set(await bytes);
        release();
        arriving.take();
      }
    },
  );
});
