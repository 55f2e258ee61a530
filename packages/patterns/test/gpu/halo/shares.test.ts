import { type BlockSpec, Domain, type FieldBlock, Grid } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { closedBehindTests, describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const SIDE = 9;
const reach = { rcut: 1.5, skin: 0.4 };
const isOwn = { name: 'is_own', type: 'u32', width: 1, members: ['is_own'] } as const;

const mark = {
  name: 'mark',
  type: 'f64',
  width: 1,
  members: ['mark'],
} as const satisfies BlockSpec;

describeGpu('a halo of all particles of a rank', () => {
  const opened = closedBehindTests();

  it('gives what ghosts receive back to their particles, also to one that is seen twice', async () => {
    const ctx = await opened(gpuContext());
    const next = sequence(5);
    const places = Array.from(
      { length: 400 },
      () => [SIDE * next(), SIDE * next(), SIDE * next()] as const,
    );
    const domain = Domain.orthorhombic([SIDE, SIDE, SIDE], { periodic: [false, true, true] });
    const grid = gridOf(ctx.heap, domain, places);
    const marks = grid.addBlock(mark);
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
    marks.array.fill(1 as never);
    marks.hostWritten();
    seen.addBlock(mark);
    await travel(marks);
    const { bytes, release } = halo.sendBack(marks);
    const arriving = halo.arrivingBack(marks);
    arriving.bytes.set(await bytes);
    release();
    arriving.take();
    halo.submit();
    await newestOnHost(grid, ctx);
    const x = grid.values('rx');
    grid.values('mark').forEach((found, row) => {
      const s = x[row]! / SIDE;
      expect(found).toBe(1 + Number(s <= 0.6) + Number(s >= 0.4));
    });
    halo.free();

    async function travel(block: FieldBlock): Promise<void> {
      const { bytes, release } = halo.send(block);
      const arriving = halo.arriving(block);
      arriving.bytes.set(await bytes);
      release();
      arriving.take();
    }
  });
});
