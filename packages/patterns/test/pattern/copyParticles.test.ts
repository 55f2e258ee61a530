import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import type { BlockCopy } from '../../src/engine/blockCopy.js';
import { whenDone } from '../../src/handles/handles.js';
import { computeCellParticles } from '../../src/pattern/computeCellParticles.js';
import { copiedRows, copyParticles, type ParticleCopy } from '../../src/pattern/copyParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { drift } from '../shared/functors.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../support/gpu.js';

const EDGE = 8;
const BLOCKS = ['position', 'velocity', 'type', 'id', 'mass'] as const;

function start(ctx: ExecutionContext): Grid {
  const next = sequence(5);
  const places = Array.from(
    { length: 300 },
    () => [EDGE * next(), EDGE * next(), EDGE * next()] as const,
  );
  const grid = gridOf(
    ctx.heap,
    Domain.orthorhombic([EDGE, EDGE, EDGE]),
    places,
    places.map((_, k) => k % 3),
  );
  for (const name of ['vx', 'vy', 'vz'])
    grid.setValues(
      name,
      places.map(() => next() - 0.5),
    );
  return grid;
}

/** The rows of a block as the host has them. */
const rowsOnHost = (grid: Grid, name: string) => {
  const { array, spec } = grid.block(name);
  return array.slice(0, grid.count * spec.width);
};

function testCopies(open: () => Promise<ExecutionContext>): void {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await open();
  });
  afterAll(() => ctx.close());

  it('have every bit of what the host would get, whatever is done after them', async () => {
    const grid = start(ctx);
    const move = () => computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
    move();
    const copy = copyParticles(grid, ctx, BLOCKS);
    await newestOnHost(grid, ctx);
    const expected = BLOCKS.map((name) => rowsOnHost(grid, name));
    move();
    const { count, matrix, periodic } = await copy;
    expect({ count, matrix, periodic }).toEqual({
      ...{ count: 300, matrix: [EDGE, 0, 0, 0, EDGE, 0, 0, 0, EDGE] },
      periodic: [true, true, true],
    });
    const sent = structuredClone(await copy);
    BLOCKS.forEach((name, k) => {
      expect(copiedRows(sent, name), name).toEqual(expected[k]);
    });
    await newestOnHost(grid, ctx);
    expect(rowsOnHost(grid, 'position')).not.toEqual(expected[0]);
    grid.free();
  });

  it('come in their order, also when the particles change on the host', async () => {
    const grid = start(ctx);
    const first = copyParticles(grid, ctx, ['velocity']);
    grid.setValues('vx', new Float64Array(300).fill(7));
    const second = copyParticles(grid, ctx, ['velocity']);
    const [before, after] = [await first, await second];
    expect(copiedRows(before, 'velocity')[0]).not.toBe(7);
    expect(copiedRows(after, 'velocity')[0]).toBe(7);
    grid.free();
  });

  it('may be made in the memory of one that is not needed any more', async () => {
    const grid = start(ctx);
    const spare = await copyParticles(grid, ctx, ['velocity']);
    grid.setValues('vx', new Float64Array(300).fill(7));
    const names = ['velocity', 'id'];
    const expected = await copyParticles(grid, ctx, names);
    const copy = await copyParticles(grid, ctx, names, spare);
    for (const name of names) expect(copiedRows(copy, name)).toEqual(copiedRows(expected, name));
    if (ctx.backend === 'cpu')
      expect(copiedRows(copy, 'velocity').buffer).toBe(copiedRows(spare, 'velocity').buffer);
    grid.free();
  });

  it('say which blocks there are', async () => {
    const grid = start(ctx);
    expect(() => copyParticles(grid, ctx, ['spin'])).toThrow(/no block 'spin'/);
    const copy = await copyParticles(grid, ctx, ['id']);
    expect(() => copiedRows(copy, 'position')).toThrow(/has not been copied \(copied: id\)/);
    grid.free();
  });
}

describe('copies of particles on the CPU', () => {
  testCopies(() => createExecutionContext({ backend: 'cpu', threads: 2 }));
});

describeGpu('copies of particles on WebGPU', () => {
  describe('in f32', () => testCopies(() => gpuContext()));
  describe('in f64', () => testCopies(() => gpuContext(undefined, 'f64')));

  it('leave rows that are all the same on the device, also after sorts, until a call writes them', async () => {
    const ctx = await gpuContext();
    const grid = start(ctx);
    const masses = (mass: number) => new Float64Array(300).fill(mass);
    grid.setValues('mass', masses(0.3));
    await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3, force: true });
    const { counters } = engineOf(ctx).gpu;
    const before = counters.downloadedBytes;
    const copy = await copyParticles(grid, ctx, ['mass', 'id']);
    expect(counters.downloadedBytes - before).toBe(8 * 300);
    expect(copiedRows(copy, 'mass')).toEqual(masses(0.3));
    const heavier = cellFunctor({ name: 'heavier', fields: { mass: 'real' } }, (i) => {
      i.mass *= 2;
    });
    await computeCellParticles(grid, heavier, ctx);
    const after = await copyParticles(grid, ctx, ['mass']);
    expect(copiedRows(after, 'mass')).toEqual(masses(2 * Math.fround(0.3)));
    await ctx.close();
  });

  it('come to the memory of one that is not needed any more, where they are large', async () => {
    const ctx = await gpuContext();
    const count = 132_000;
    const places = Array.from({ length: count }, (_, k) => [k % 8, (k >> 3) % 8, k >> 6] as const);
    const grid = gridOf(ctx.heap, Domain.orthorhombic([8, 8, 4096]), places);
    grid.setValues('vx', new Float64Array(count).fill(1));
    const moved = async (spare?: ParticleCopy) => {
      await computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
      return copyParticles(grid, ctx, ['position'], spare);
    };
    const partOf = (copy: ParticleCopy) => (copy.blocks.get('position') as BlockCopy).parts[0];
    const spare = await moved();
    const before = copiedRows(spare, 'position');
    const copy = await moved(spare);
    expect(partOf(copy)).toBe(partOf(spare));
    const rows = copiedRows(copy, 'position');
    expect(Number(rows[0]) - Number(before[0])).toBeCloseTo(0.01, 6);
    const anew = copiedRows(await copyParticles(grid, ctx, ['position']), 'position');
    expect(rows.length).toBe(anew.length);
    expect(rows.findIndex((x, k) => x !== anew[k])).toBe(-1); // toEqual would take a second
    await ctx.close();
  });

  it('arrive by themselves when more calls follow', async () => {
    const ctx = await gpuContext();
    const grid = start(ctx);
    const arrival = whenDone(copyParticles(grid, ctx, ['position']));
    await computeCellParticles(grid, drift, ctx, { params: { dt: 0.01 } });
    expect((await arrival).count).toBe(300);
    await ctx.close();
  });
});
