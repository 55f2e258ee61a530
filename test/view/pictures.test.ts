import {
  cellFunctor,
  createExecutionContext,
  type ExecutionContext,
  type Precision,
} from '@corpuscle/patterns';
import { cameraFor, colorMaps, compileView, createView } from '@corpuscle/view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compared, RayCaster } from '../support/rayCast.js';
import {
  ballsOf,
  bare,
  box,
  byType,
  cameras,
  HEIGHT,
  particles,
  radii,
  size,
  WIDTH,
  wrongPixels,
} from './support/scene.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'webgpu', threads: 1 });
});
afterAll(() => ctx.close());

describe('a picture is that of rays against all spheres, in double precision', () => {
  for (const [name, camera] of Object.entries(cameras)) {
    it(`${name}, where spheres meet`, async () => {
      const grid = particles(ctx);
      expect(await wrongPixels(ctx, grid, {}, camera, ballsOf(grid, byType))).toBe(0);
    });
  }

  it('with planes that leave particles out', async () => {
    const grid = particles(ctx);
    const plane = { normal: [0.6, 0, 0.8], offset: 18 } as const;
    const balls = ballsOf(grid, byType).filter(
      ({ center }) => 0.6 * center[0]! + 0.8 * center[2]! >= 18,
    );
    expect(balls.length).toBeGreaterThan(10);
    expect(balls.length).toBeLessThan(50);
    const look = { planes: [plane] };
    expect(await wrongPixels(ctx, grid, look, cameras.perspective!, balls)).toBe(0);
  });

  it('with images along two vectors of a triclinic box', async () => {
    const grid = particles(ctx, 20);
    const shifts = [0, 1].flatMap((a) =>
      [0, 1, 2].map((c) => [8 * a - c, 1.5 * c, 6 * c] as const),
    );
    const balls = ballsOf(grid, byType).flatMap((ball) =>
      shifts.map((shift) => ({ ...ball, center: ball.center.map((x, k) => x + shift[k]!) })),
    );
    const images = [2, 1, 3] as const;
    const camera = cameraFor(box, { images, aspect: WIDTH / HEIGHT });
    expect(await wrongPixels(ctx, grid, { images }, camera, balls)).toBe(0);
  });

  it('with colors by a field, from its least to its greatest', async () => {
    const grid = particles(ctx);
    const gray = (k: number) => Array.from({ length: 3 }, () => k / 59);
    const look = { color: { field: 'vx', map: 'gray' } } as const;
    expect(await wrongPixels(ctx, grid, look, cameras.perspective!, ballsOf(grid, gray))).toBe(0);
  });

  it('with colors by a functor, within a range', async () => {
    const grid = particles(ctx);
    const square = cellFunctor({ name: 'square', fields: { vx: 'real', square: 'real' } }, (i) => {
      i.square = i.vx * i.vx;
    });
    const gray = (k: number) =>
      Array.from({ length: 3 }, () => Math.min(1, (k / 59 - 0.5) ** 2 / 0.2));
    const color = { field: 'square', functor: square, map: 'gray', range: [0, 0.2] } as const;
    expect(await wrongPixels(ctx, grid, { color }, cameras.perspective!, ballsOf(grid, gray))).toBe(
      0,
    );
  });
});

it('maps begin and end with their published colors', async () => {
  const grid = particles(ctx);
  const view = createView({ context: ctx, grid, size, look: { color: { field: 'rz' } } });
  const legend = await view.legend();
  const z = grid.values('rz');
  expect(legend!.range[0]).toBeCloseTo(Math.min(...z), 5);
  expect(legend!.range[1]).toBeCloseTo(Math.max(...z), 5);
  const picture = await view.picture({ width: 240, height: 240, samples: 1 });
  const at = (x: number, y: number) => [...picture.data.slice(4 * (y * 240 + x)).slice(0, 3)];
  expect(at(6, 225)).toEqual([0x44, 0x01, 0x54]);
  expect(at(95, 225)).toEqual([0xfd, 0xe7, 0x25]);
  expect(colorMaps.viridis.length).toBe(9);
  view.close();
});

it('a click gives the particle that is in front there, or nothing', async () => {
  const grid = particles(ctx);
  const camera = cameras.perspective!;
  const look = { ...bare, radius: radii, color: { field: 'vx' } };
  const view = createView({ context: ctx, grid, size, look });
  view.draw(camera);
  const balls = ballsOf(grid, byType);
  const rays = new RayCaster(balls, camera, size);
  let clicked = 0;
  for (const [x, y] of [
    [48, 32],
    [40, 20],
    [60, 40],
    [30, 35],
  ] as const) {
    const picked = await view.pick(x, y);
    const { front } = rays.at(x, y);
    expect(picked?.id ?? null).toBe(front === null ? null : 100 + front);
    if (!picked) continue;
    clicked++;
    expect(picked.type).toBe(front! % 3);
    expect(picked.value).toBeCloseTo(front! / 59 - 0.5, 6);
    for (let axis = 0; axis < 3; axis++)
      expect(picked.position[axis]).toBeCloseTo(balls[front!]!.center[axis]!, 4);
  }
  expect(clicked).toBeGreaterThan(1);
  expect(await view.pick(0, 0)).toBeNull();
  expect(await view.pick(-1, 400)).toBeNull();
  view.close();
});

it.each<Precision>(['f64', 'mixed'])(
  'rows of double-single numbers are drawn too (%s)',
  async (precision) => {
    const own = await createExecutionContext({ backend: 'webgpu', threads: 1, precision });
    const grid = particles(own, 60);
    const gray = (k: number) => Array.from({ length: 3 }, () => k / 59);
    const look = { ...bare, radius: radii, color: { field: 'vx', map: 'gray' } } as const;
    const camera = cameras.perspective!;
    const view = createView({ context: own, grid, size, look });
    const { data } = await view.picture({ camera, samples: 1, legend: false });
    const balls = ballsOf(grid, gray);
    expect(compared(data, new RayCaster(balls, camera, size).picture()).wrong).toBe(0);
    view.close();
    await own.close();
  },
);

it('occlusion darkens hollows and nothing else', async () => {
  const grid = particles(ctx);
  const camera = cameras.perspective!;
  const take = async (occlusion: number) => {
    const look = { ...bare, radius: radii, occlusion };
    const view = createView({ context: ctx, grid, size, look });
    const { data } = await view.picture({ camera, samples: 1 });
    view.close();
    return data;
  };
  const [open, dark] = [await take(0), await take(1)];
  expect(open.every((value, k) => dark[k]! <= value)).toBe(true);
  const sum = (data: Uint8ClampedArray) => data.reduce((all, value) => all + value, 0);
  expect(sum(dark)).toBeLessThan(0.99 * sum(open));
});

it('a context without WebGPU, and a camera that looks nowhere, are told', async () => {
  const cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = particles(cpu, 3);
  const view = createView({ context: cpu, grid, size });
  await expect(view.picture()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  await expect(compileView(cpu)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  await cpu.close();
  const lost = createView({ context: ctx, grid: particles(ctx, 3), size });
  const camera = { ...lost.camera, from: lost.camera.to };
  await expect(lost.picture({ camera })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
  await expect(lost.picture({ width: 0.5 })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
  lost.look = { color: { field: 'heat' } };
  await expect(lost.picture()).rejects.toMatchObject({ code: 'UNKNOWN_FIELD' });
});
