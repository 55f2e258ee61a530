import { Domain, type Grid } from '@corpuscle/core';
import { expect, it } from 'vitest';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { packingValues } from '../../../src/gpu/neighbors/candidates.js';
import { GrowingBuffer } from '../../../src/gpu/residency/GrowingBuffer.js';
import { makeFrame } from '../../../src/gpu/residency/PositionFrame.js';
import { CellSort } from '../../../src/gpu/sort/CellSort.js';
import { cellTable } from '../../../src/pattern/cellTable.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { filledGrid, sequence, snapshot } from '../../shared/oracle.js';
import {
  closedBehindTests,
  contextWith,
  describeGpu,
  engineOf,
  gpuContext,
  wordsOf,
} from '../../support/gpu.js';

const SIDES = [21, 19, 23] as const;

function cluster(ctx: ExecutionContext, count: number): Grid {
  const next = sequence(count);
  const places = Array.from(
    { length: count },
    () => [SIDES[0] * next(), SIDES[1] * next(), SIDES[2] * next()] as const,
  );
  return gridOf(ctx.heap, Domain.orthorhombic(SIDES), places);
}

const frameOf = ({ domain }: Grid) =>
  makeFrame(domain, { lower: [0, 0, 0], upper: [1, 1, 1] }, [0.4, 2.8, 2.8], 2 ** 14);

async function words(ctx: ExecutionContext, buffer: GPUBuffer, count: number): Promise<DataView> {
  return new DataView(await wordsOf(ctx, buffer, count));
}

describeGpu('a sort on WebGPU', () => {
  const opened = closedBehindTests();

  // Chains and cells take 22 bytes of a particle, and candidates eight more.
  it.each([
    ['beside the rest', null, true],
    ['apart, where one buffer cannot hold all', 24 * 3016, false],
  ] as const)(
    'packs positions into candidates while it moves them, %s',
    async (_, segmentBytes, isOne) => {
      const ctx = await opened(contextWith({}));
      const { gpu, residency } = engineOf(ctx);
      if (segmentBytes) gpu.segmentBytes = segmentBytes;
      const count = 3000;
      const grid = cluster(ctx, count);
      const frame = frameOf(grid);
      const packing = packingValues(frame, 2.8);
      const start = new GrowingBuffer(gpu, 'start');
      const { position, candidates } = new CellSort(gpu).run(
        grid,
        residency,
        frame,
        start,
        packing,
      );
      expect(candidates!.size > 16 * count).toBe(isOne);
      const rows = await words(ctx, position.buffer, 4 * count);
      const packed = await words(ctx, candidates!, 2 * count);
      const perLength = Math.fround(packing.perLength);
      const units = (row: number, axis: number): number =>
        Math.round(Math.fround(rows.getFloat32(16 * row + 4 * axis, true) * perLength));
      for (let row = 0; row < count; row++) {
        const cell = rows.getUint32(16 * row + 12, true) & 1023;
        const yz = packed.getUint32(8 * row + 4, true);
        const found = [packed.getFloat32(8 * row, true), yz & 0xffff, yz >>> 16];
        const wanted = [
          cell * packing.perCell + units(row, 0),
          units(row, 1) + 2 ** 15,
          units(row, 2) + 2 ** 15,
        ];
        // Halves are rounded to even there and up here.
        const off = found.map((value, k) => Math.abs(value - wanted[k]!));
        if (!(Math.max(...off) <= 1)) expect(found, `row ${row}`).toEqual(wanted);
      }
      await newestOnHost(grid, ctx);
      expect([...grid.values('id')].sort((a, b) => a - b)).toEqual([...Array(count).keys()]);
      start.free();
      grid.free();
    },
  );

  it('takes as many dispatches when candidates are packed as when they are not', async () => {
    const ctx = await opened(contextWith({ maxStorageBuffersPerShaderStage: 8 }));
    const { neighbors, gpu } = engineOf(ctx);
    const lists = { rcut: 2.5, skin: 0.3, force: true };
    const taken: number[] = [];
    for (const from of [0, Infinity]) {
      neighbors.builder.packFrom = from;
      const grid = cluster(ctx, 3000);
      await updateNeighbors(grid, ctx, lists);
      const before = gpu.counters.dispatches;
      await updateNeighbors(grid, ctx, lists);
      taken.push(gpu.counters.dispatches - before);
      grid.free();
    }
    // How far particles have moved; bin, seven blocks by threes; the search.
    expect(taken).toEqual([6, 6]);
  });

  it('keeps the order of old rows in cells, few or hundreds of them', async () => {
    const ctx = await opened(gpuContext());
    const next = sequence(8);
    // Most particles cluster in a corner.
    const places = Array.from({ length: 2000 }, (_, k) => {
      const side = k % 3 === 0 ? 12 : 0.7;
      return [side * next(), side * next(), side * next()] as const;
    });
    const grid = gridOf(ctx.heap, Domain.orthorhombic([12, 12, 12]), places);
    for (const force of [false, true]) {
      await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3, force });
      await newestOnHost(grid, ctx);
      const { start } = await cellTable(grid, ctx);
      const ids = grid.values('id');
      for (let cell = 0; cell + 1 < start.length; cell++) {
        const inCell = [...ids.slice(start[cell]!, start[cell + 1]!)];
        if (inCell.length > 1) expect(inCell).toEqual([...inCell].sort((a, b) => a - b));
      }
      expect([...ids].sort((a, b) => a - b)).toEqual([...places.keys()]);
    }
    grid.free();
  });

  it('moves all blocks alike, however many buffers a kernel may have', async () => {
    const states: Map<string, Float64Array>[] = [];
    for (const buffers of [4, 6, 8]) {
      await using ctx = await contextWith({ maxStorageBuffersPerShaderStage: buffers });
      for (const from of [0, Infinity]) {
        engineOf(ctx).neighbors.builder.packFrom = from;
        const grid = filledGrid(ctx.heap, 600);
        await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
        await newestOnHost(grid, ctx);
        states.push(snapshot(grid));
        grid.free();
      }
    }
    const [first, ...others] = states;
    for (const other of others) expect(other).toEqual(first);
    // Every particle has kept what was its own.
    const ctx = await opened(gpuContext());
    const before = filledGrid(ctx.heap, 600);
    const order = [...before.values('id')].map((id, row) => [id, row]);
    const rowOf = new Map(order as [number, number][]);
    for (const name of ['vx', 'mass', 'type', 'sz', 'flag', 'ca', 'q']) {
      const values = before.values(name);
      const kept = [...first!.get('id')!].map((id) => values[rowOf.get(id)!]);
      expect([...first!.get(name)!]).toEqual(kept);
    }
    before.free();
  });
});
