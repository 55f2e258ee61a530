import { Domain, type Grid, imageFlags } from '@corpuscle/core';
import {
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
  type Precision,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
import { crossFaces, noteCrossings } from '../box/crossFaces.js';
import { flipBox } from '../box/flipBox.js';
import { boxParamsOf, valuesOf } from '../box/presentBox.js';
import { replicate } from '../box/replicate/replicate.js';
import { setBox } from '../box/setBox.js';
import { moveOnce } from '../sets/change/displaceParticlesOperator.js';
import { createGrid } from '../system/createGrid.js';
import { countImages, placeImages } from './countImages.js';

const LEANING = [6, 0, 0, 5, 6.2, 0, -0.7, 5, 5.8];
const machines: readonly (readonly ['cpu' | 'webgpu', Precision, number])[] = [
  ['cpu', 'f64', 1e-12],
  ['webgpu', 'f32', 1e-4],
  ['webgpu', 'f64', 1e-10],
];

describe.each(machines)('image flags on %s, %s', (backend, precision, tolerance) => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await createExecutionContext({ backend, precision, threads: 1 });
  });
  afterAll(() => ctx?.close());

  /** Particles all over a box, some boxes away from where they began. */
  function start(): Grid {
    const box = Domain.triclinic(LEANING);
    const places = Array.from({ length: 64 }, (_, k) =>
      box.toCartesian((k % 8) / 8, Math.sin(k) / 2 + 0.5, Math.cos(2 * k) / 2 + 0.5),
    );
    const grid = createGrid(frameOfPositions(places, LEANING), [{ name: 'A', mass: 1 }], ctx.heap);
    placeImages(
      grid,
      Int32Array.from({ length: 192 }, (_, k) => Math.round(7 * Math.sin(5 * k))),
    );
    return grid;
  }
  const sort = (grid: Grid) => updateNeighbors(grid, ctx, { rcut: 2.2, skin: 0.2 });

  async function unwrapped(grid: Grid): Promise<number[][]> {
    await newestOnHost(grid, ctx);
    const [ids, x, y, z, ...images] = ['id', 'rx', 'ry', 'rz', 'ix', 'iy', 'iz'].map((name) =>
      grid.values(name),
    );
    const { matrix: m } = grid.domain;
    const places: number[][] = [];
    ids!.forEach((id, row) => {
      const shift = (axis: number) =>
        images.reduce((sum, boxes, k) => sum + boxes[row]! * m[3 * k + axis]!, 0);
      places[id] = [x, y, z].map((values, axis) => values![row]! + shift(axis));
    });
    return places;
  }

  function expectSame(found: number[][], places: readonly (readonly number[])[]): void {
    const errors = found.flatMap((place, id) => place.map((r, k) => Math.abs(r - places[id]![k]!)));
    expect(errors).toHaveLength(3 * places.length);
    expect(Math.max(...errors)).toBeLessThan(tolerance);
  }

  it('keep unwrapped positions where a box is flipped', async () => {
    const grid = start();
    const before = await unwrapped(grid);
    setBox(grid, ctx, flipBox(grid.domain), 'none');
    expectSame(await unwrapped(grid), before);
    await sort(grid);
    expectSame(await unwrapped(grid), before);
    grid.free();
  });

  it('follow a box that changes with its particles', async () => {
    const grid = start();
    await sort(grid);
    const { domain } = grid;
    const before = await unwrapped(grid);
    const box = Domain.triclinic([6.6, 0, 0, 5, 6, 0, -0.7, 5.1, 5.8], { origin: [1, 0, -2] });
    setBox(grid, ctx, box, 'positions');
    await sort(grid);
    const places = before.map((r) =>
      box.toCartesian(...domain.toFractional(...(r as [number, number, number]))),
    );
    expectSame(await unwrapped(grid), places);
    grid.free();
  });

  it('are 0 along axes that are opened, and those of the others stay', async () => {
    const grid = start();
    setBox(grid, ctx, Domain.triclinic(LEANING, { periodic: [true, false, true] }), 'positions');
    await newestOnHost(grid, ctx);
    expect(grid.values('iy').every((boxes) => boxes === 0)).toBe(true);
    const rows = grid.rowsById();
    const ix = grid.values('ix');
    expect(Array.from(rows, (row) => ix[row])).toEqual(
      Array.from(rows, (_, k) => Math.round(7 * Math.sin(15 * k)) + 0),
    );
    grid.free();
  });

  it('count faces that are crossed while these move', async () => {
    const grid = start();
    noteCrossings(grid, ctx);
    const before = await unwrapped(grid);
    const rate = [0, 0, 0, 1, 0, 0, 0, 0, 0];
    const step = { x: 1.3, y: -2.1, z: 1.9 };
    for (let k = 0; k < 6; k++) {
      computeCellParticles(grid, moveOnce, ctx, { params: step });
      if (k % 2 === 0) await sort(grid);
      const [ox, oy, oz] = grid.domain.origin;
      const params = { ox, oy, oz, ...boxParamsOf(grid.domain), ...valuesOf('d', rate) };
      computeCellParticles(grid, crossFaces, ctx, { params });
    }
    const moved = before.map(([x, y, z]) => [x! + 6 * 1.3, y! - 6 * 2.1, z! + 6 * 1.9]);
    expectSame(await unwrapped(grid), moved);
    grid.free();
  });

  it('begin with 0 where they are first counted, and where a box is repeated', async () => {
    const grid = start();
    replicate(grid, [2, 1, 1]);
    expect((grid.block(imageFlags.name).array as Int32Array).every((x) => x === 0)).toBe(true);
    grid.free();
    const places = [[1, 1, 1] as const];
    const other = createGrid(frameOfPositions(places, LEANING), [{ name: 'A', mass: 1 }], ctx.heap);
    computeCellParticles(other, moveOnce, ctx, { params: { x: 12, y: 0, z: 0 } });
    await sort(other);
    countImages(other, ctx);
    computeCellParticles(other, moveOnce, ctx, { params: { x: 18, y: 0, z: 0 } });
    await sort(other);
    expectSame(await unwrapped(other), [[19, 1, 1]]);
    other.free();
  });
});
