import { Domain, type Grid, imageFlags, type RowSource } from '@corpuscle/core';
import { expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { copiedRows, copyParticles } from '../../../src/pattern/copyParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import type { Precision } from '../../../src/plan/chooseBackend.js';
import { addVelocity } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const COUNT = 288;

/** Particles in a box, some of them several boxes away. */
function scattered(ctx: ExecutionContext, count: number): Grid {
  const next = sequence(3);
  const far = (k: number) => (k % 97 === 0 ? 50 : 0);
  const places = Array.from(
    { length: count },
    (_, k) => [10 * next() + far(k), 10 * next(), 10 * next() - far(k)] as const,
  );
  const grid = gridOf(ctx.heap, Domain.orthorhombic([10, 10, 10]), places);
  grid.addBlock(imageFlags);
  grid.setValues(
    'vx',
    Float64Array.from(places, (_, k) => k),
  );
  return grid;
}

/** All that the host gets back after a sort and a call, by id. */
async function after(precision: Precision, pieceBytes?: number): Promise<number[][]> {
  await using ctx = await gpuContext(undefined, precision);
  if (pieceBytes) engineOf(ctx).gpu.pieceBytes = pieceBytes;
  const grid = scattered(ctx, COUNT);
  await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.2, force: true });
  computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
  await newestOnHost(grid, ctx);
  const order = grid.rowsById();
  return ['rx', 'ry', 'rz', 'ix', 'iz', 'vx', 'id', 'mass', 'type'].map((name) => {
    const values = grid.values(name);
    return Array.from(order, (row) => values[row]!);
  });
}

describeGpu('blocks that go up and come down in pieces', () => {
  it.each(['f32', 'f64'] as const)(
    'are the same bits as in one piece, in %s',
    async (precision) => {
      const whole = await after(precision);
      // Less than a row, some rows, all but the last.
      for (const bytes of [1, 1000, 16 * (COUNT - 1)])
        expect(await after(precision, bytes)).toEqual(whole);
    },
  );

  it.each(['f32', 'f64'] as const)(
    'are copied as they were, whatever is done after that, in %s',
    async (precision) => {
      const names = ['position', 'velocity', 'id', 'mass'];
      const copies: unknown[] = [];
      for (const pieceBytes of [2 ** 25, 1000]) {
        await using ctx = await gpuContext(undefined, precision);
        engineOf(ctx).gpu.pieceBytes = pieceBytes;
        const grid = scattered(ctx, COUNT);
        const step = () =>
          computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
        step();
        const handle = copyParticles(grid, ctx, names);
        step();
        const copy = await handle.wait();
        const rows = (one: typeof copy) => names.map((name) => [...copiedRows(one, name)]);
        const before = rows(copy);
        // Its memory serves the next one.
        const next = copyParticles(grid, ctx, names, copy);
        step();
        copies.push([before, rows(await next.wait())]);
      }
      expect(copies[1]).toEqual(copies[0]);
    },
  );

  it('come to a device by memory that it copies from where they are large, and leave the host', async () => {
    await using ctx = await gpuContext();
    const count = 600_000;
    const grid = gridOf(ctx.heap, Domain.orthorhombic([100, 100, 100]), []);
    grid.resize(count);
    const rows: RowSource = (values, first) => {
      for (let k = 0; k < values.length; k += 4) values[k] = first + k / 4;
    };
    const block = grid.block('velocity');
    block.fill(rows, count);
    computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
    expect(block.outsideBytes).toBe(0);
    expect(ctx.heap.allocatedBytes).toBe(0);
    await newestOnHost(grid, ctx, ['vx']);
    const wrong = grid.values('vx').findIndex((vx, row) => vx !== row + 1);
    expect(wrong).toBe(-1);
    computeCellParticles(grid, addVelocity, ctx, { params: { x: 1, y: 0, z: 0 } });
    await ctx.device!.finished();
    expect(block.outsideBytes).toBe(0);
    grid.free();
  });
});
