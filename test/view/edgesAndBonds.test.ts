import { Domain, Grid } from '@corpuscle/core';
import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { cameraFor, createView, typeColors } from '@corpuscle/view';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bare, box, HEIGHT, particles, size, WIDTH } from './support/scene.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'webgpu', threads: 1 });
});
afterAll(() => ctx.close());

it('edges of a triclinic box end where its corners are seen', async () => {
  const grid = particles(ctx, 1);
  const camera = cameraFor(box, { angle: 0, direction: [0, 1, 0], aspect: WIDTH / HEIGHT });
  const look = { occlusion: 0, radius: 0.01 };
  const view = createView({ context: ctx, grid, size, look });
  const { data } = await view.picture({ camera, samples: 4, width: WIDTH, height: HEIGHT });
  const height = camera.lens.kind === 'orthographic' ? camera.lens.height : 0;
  const darkAt = (r: readonly number[]) => {
    const x = ((r[0]! - camera.to[0]) / height) * HEIGHT + WIDTH / 2;
    const y = HEIGHT / 2 - ((r[2]! - camera.to[2]) / height) * HEIGHT;
    return data[4 * (Math.floor(y) * WIDTH + Math.floor(x))]!;
  };
  const inside = (a: number, b: number, c: number) => box.toCartesian(a, b, c);
  for (const a of [0, 1])
    for (const b of [0, 1]) expect(darkAt(inside(a, b, 0.5))).toBeLessThan(252);
  for (const c of [0, 1]) expect(darkAt(inside(0.5, 0, c))).toBeLessThan(252);
  expect(darkAt(inside(0.5, 0.5, 0.5))).toBe(255);
  view.close();
});

it('edges have no gaps, however thin they are', async () => {
  const cube = Domain.orthorhombic([5, 5, 5]);
  const grid = new Grid(ctx.heap, cube);
  const view = createView({ context: ctx, grid, size: [WIDTH, HEIGHT] });
  const camera = cameraFor(cube, { aspect: WIDTH / HEIGHT, angle: 0, direction: [0.2, 1, -0.13] });
  const { data } = await view.picture({ ...{ width: WIDTH, height: HEIGHT, samples: 1 }, camera });
  view.close();
  const isDark = (x: number, y: number) => data[4 * (y * WIDTH + x)]! < 250;
  const rows = Array.from({ length: HEIGHT }, (_, y) =>
    Array.from({ length: WIDTH }, (_, x) => isDark(x, y)).filter(Boolean),
  );
  const [first, last] = [
    rows.findIndex((row) => row.length > 0),
    rows.findLastIndex((row) => row.length > 0),
  ];
  // Between the upper and the lower faces, each row meets the four upright edges.
  const middle = rows.slice(first + 14, last - 13);
  expect(middle.length).toBeGreaterThan(20);
  for (const row of middle) expect(row.length).toBeGreaterThanOrEqual(4);
  const columns = Array.from({ length: WIDTH }, (_, x) =>
    Array.from({ length: HEIGHT }, (_, y) => isDark(x, y)).some(Boolean),
  );
  const [left, right] = [columns.indexOf(true), columns.lastIndexOf(true)];
  expect(columns.slice(left, right + 1)).not.toContain(false);
});

it('bonds reach from both particles over the faces of the box', async () => {
  const domain = Domain.orthorhombic([10, 10, 10]);
  const grid = new Grid(ctx.heap, domain);
  grid.resize(3);
  grid.setValues('rx', [1, 9, 5]);
  grid.setValues('ry', [5, 5, 5]);
  grid.setValues('rz', [5, 5, 2]);
  grid.setValues('id', [3, 8, 4]);
  grid.setValues('type', [0, 1, 2]);
  const camera = cameraFor(domain, { angle: 0, direction: [0, 1, 0], aspect: WIDTH / HEIGHT });
  const look = { ...bare, radius: 0.5, bondRadius: 0.3, bonds: [{ ids: [3, 8] as const }] };
  const view = createView({ context: ctx, grid, size, look });
  const { data } = await view.picture({ camera, samples: 1 });
  const height = camera.lens.kind === 'orthographic' ? camera.lens.height : 0;
  const at = (x: number, z: number) => {
    const column = Math.floor(((x - 5) / height) * HEIGHT + WIDTH / 2);
    const row = Math.floor(HEIGHT / 2 - ((z - 5) / height) * HEIGHT);
    return [...data.slice(4 * (row * WIDTH + column)).slice(0, 3)];
  };
  expect(at(5, 5)).toEqual([255, 255, 255]); // the bond goes the short way
  const [left, right] = [at(0.2, 5), at(9.8, 5)];
  for (const [seen, type] of [
    [left, 0],
    [right, 1],
  ] as const) {
    const color = typeColors[type]!;
    const scale = seen[1]! / (255 * color[1]);
    expect(scale).toBeGreaterThan(0.4);
    for (let c = 0; c < 3; c++)
      expect(Math.abs(seen[c]! / 255 - scale * color[c]!)).toBeLessThan(0.15);
  }
  view.close();
});
