import { Domain, Grid } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  kick,
  kickDrift,
  lattice,
  lennardJones,
  lennardJonesParameters,
  pairTables,
  zeroForces,
} from '@corpuscle/operators';
import {
  cellFunctor,
  computeCellParticles,
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
  type Precision,
  prepareCellParticlePairs,
  prepareCellParticles,
  prepareNeighborLists,
  prepareStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import {
  type Camera,
  cameraFor,
  colorMaps,
  compileView,
  createView,
  type Look,
  typeColors,
} from '@corpuscle/view';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ball, compared, RayCaster } from '../support/rayCast.js';

const WIDTH = 96;
const HEIGHT = 64;
const size = [WIDTH, HEIGHT] as const;
/** No energies and no virial. */
const forcesAlone = {
  ep: 'none',
  vxx: 'none',
  vyy: 'none',
  vzz: 'none',
  vxy: 'none',
  vxz: 'none',
  vyz: 'none',
} as const;
/** Colors as they are, and nothing but particles. */
const bare = { occlusion: 0, box: false } as const;
const box = Domain.triclinic([8, 0, 0, 2, 7, 0, -1, 1.5, 6], { origin: [-3, 1, 20] });

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'webgpu', threads: 1 });
});
afterAll(() => ctx.close());

/** Particles anywhere in a box, of three types; many of their spheres meet. */
function particles(count = 60, domain = box, { heap } = ctx): Grid {
  const grid = new Grid(heap, domain);
  grid.resize(count);
  let seed = 7;
  const random = () => {
    seed = (seed * 16807) % 2147483647;
    return seed / 2147483647;
  };
  const places = Array.from({ length: count }, () =>
    domain.toCartesian(random(), random(), random()),
  );
  for (const [k, name] of ['rx', 'ry', 'rz'].entries())
    grid.setValues(
      name,
      places.map((place) => place[k]!),
    );
  grid.setValues(
    'type',
    Array.from({ length: count }, (_, k) => k % 3),
  );
  grid.setValues(
    'id',
    Array.from({ length: count }, (_, k) => 100 + k),
  );
  grid.setValues(
    'vx',
    Array.from({ length: count }, (_, k) => k / (count - 1) - 0.5),
  );
  return grid;
}

const centers = (grid: Grid): number[][] => {
  const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  return Array.from(x!, (_, k) => [x![k]!, y![k]!, z![k]!]);
};

const radii = [0.9, 0.6, 1.3];
const ballsOf = (grid: Grid, color: (k: number) => readonly number[]): Ball[] =>
  centers(grid).map((center, k) => ({ center, radius: radii[k % 3]!, color: color(k) }));

const cameras: Record<string, Camera> = {
  perspective: cameraFor(box, { aspect: WIDTH / HEIGHT }),
  orthographic: cameraFor(box, { aspect: WIDTH / HEIGHT, angle: 0, direction: [1, -0.3, 0.2] }),
};

async function wrongPixels(
  grid: Grid,
  look: Look,
  camera: Camera,
  balls: readonly Ball[],
): Promise<number> {
  const view = createView({ context: ctx, grid, size, look: { ...bare, radius: radii, ...look } });
  const { data } = await view.picture({ camera, samples: 1, legend: false });
  view.close();
  const { wrong, of } = compared(data, new RayCaster(balls, camera, size).picture());
  expect(of).toBeGreaterThan(0.85 * WIDTH * HEIGHT);
  expect(new Set(data).size).toBeGreaterThan(50);
  return wrong;
}

const byType = (k: number) => typeColors[k % 3]!;

describe('a picture is that of rays against all spheres, in double precision', () => {
  for (const [name, camera] of Object.entries(cameras)) {
    it(`${name}, where spheres meet`, async () => {
      const grid = particles();
      expect(await wrongPixels(grid, {}, camera, ballsOf(grid, byType))).toBe(0);
    });
  }

  it('with planes that leave particles out', async () => {
    const grid = particles();
    const plane = { normal: [0.6, 0, 0.8], offset: 18 } as const;
    const balls = ballsOf(grid, byType).filter(
      ({ center }) => 0.6 * center[0]! + 0.8 * center[2]! >= 18,
    );
    expect(balls.length).toBeGreaterThan(10);
    expect(balls.length).toBeLessThan(50);
    const look = { planes: [plane] };
    expect(await wrongPixels(grid, look, cameras.perspective!, balls)).toBe(0);
  });

  it('with images along two vectors of a triclinic box', async () => {
    const grid = particles(20);
    const shifts = [0, 1].flatMap((a) =>
      [0, 1, 2].map((c) => [8 * a - c, 1.5 * c, 6 * c] as const),
    );
    const balls = ballsOf(grid, byType).flatMap((ball) =>
      shifts.map((shift) => ({ ...ball, center: ball.center.map((x, k) => x + shift[k]!) })),
    );
    const images = [2, 1, 3] as const;
    const camera = cameraFor(box, { images, aspect: WIDTH / HEIGHT });
    expect(await wrongPixels(grid, { images }, camera, balls)).toBe(0);
  });

  it('with colors by a field, from its least to its greatest', async () => {
    const grid = particles();
    const gray = (k: number) => Array.from({ length: 3 }, () => k / 59);
    const look = { color: { field: 'vx', map: 'gray' } } as const;
    expect(await wrongPixels(grid, look, cameras.perspective!, ballsOf(grid, gray))).toBe(0);
  });

  it('with colors by a functor, within a range', async () => {
    const grid = particles();
    const square = cellFunctor({ name: 'square', fields: { vx: 'real', square: 'real' } }, (i) => {
      i.square = i.vx * i.vx;
    });
    const gray = (k: number) =>
      Array.from({ length: 3 }, () => Math.min(1, (k / 59 - 0.5) ** 2 / 0.2));
    const color = { field: 'square', functor: square, map: 'gray', range: [0, 0.2] } as const;
    expect(await wrongPixels(grid, { color }, cameras.perspective!, ballsOf(grid, gray))).toBe(0);
  });
});

it('maps begin and end with their published colors', async () => {
  const grid = particles();
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
  const grid = particles();
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

it('positions that the device moved are drawn without coming to the host', async () => {
  const grid = particles();
  const before = ballsOf(grid, byType);
  const shift = cellFunctor({ name: 'shift', fields: { rx: 'real', ry: 'real' } }, (i) => {
    i.rx += 0.5;
    i.ry -= 0.25;
  });
  await computeCellParticles(grid, shift, ctx, {});
  const { downloads, downloadedBytes } = ctx.device!.counters;
  const moved = before.map((ball) => ({
    ...ball,
    center: [ball.center[0]! + 0.5, ball.center[1]! - 0.25, ball.center[2]!],
  }));
  expect(await wrongPixels(grid, {}, cameras.perspective!, moved)).toBe(0);
  expect(ctx.device!.counters).toMatchObject({ downloads, downloadedBytes });
});

it('pictures between the steps of a fused run change nothing, and show its newest positions', async () => {
  const rcut = 2.5;
  const run = async (draws: boolean) => {
    const grid = createGrid(
      lattice({ structure: 'fcc', density: 0.8442, repeat: [4, 4, 4] }),
      [{ name: 'A', mass: 1 }],
      ctx.heap,
    );
    initTemperature(grid, { temperature: 3, seed: 5, method: 'lammps_geom' });
    const box = grid.domain;
    const camera = cameraFor(box, { aspect: WIDTH / HEIGHT });
    const view = createView({ context: ctx, grid, size: [16, 12], look: { ...bare, radius: 0.5 } });
    await updateNeighbors(grid, ctx, { rcut, skin: 0.3, force: true });
    const params = lennardJonesParameters(
      pairTables(['A'], [{ epsilon: 1, sigma: 1, rcut }]),
      'none',
    );
    const half = { params: { halfDt: 0.0025 } };
    const step = prepareStep(ctx, [
      prepareCellParticles(grid, kickDrift, ctx, { params: { dt: 0.005, halfDt: 0.0025 } }),
      prepareNeighborLists(grid, ctx, { rcut, skin: 0.3, ahead: true }),
      prepareCellParticles(grid, zeroForces, ctx),
      prepareCellParticlePairs(grid, lennardJones, ctx, { rcut, params, outputs: forcesAlone }),
      prepareCellParticles(grid, kick, ctx, half),
    ]);
    for (let k = 0; k < 6; k++) {
      await step.run(5);
      if (draws) await view.draw(camera);
    }
    const { downloadedBytes } = ctx.device!.counters;
    const picture =
      draws && (await view.picture({ camera, width: WIDTH, height: HEIGHT, samples: 1 }));
    expect(ctx.device!.counters.downloadedBytes).toBe(downloadedBytes);
    await newestOnHost(grid, ctx);
    view.close();
    const order = grid.rowsById();
    const places = centers(grid);
    const byId = [...order].map((row) => places[row]!);
    return { byId, picture, camera };
  };
  const [drawn, plain] = [await run(true), await run(false)];
  expect(drawn.byId).toEqual(plain.byId);
  const balls = drawn.byId.map((center) => ({ center, radius: 0.5, color: typeColors[0]! }));
  const expected = new RayCaster(balls, drawn.camera, size).picture();
  const { wrong, of } = compared((drawn.picture as { data: Uint8ClampedArray }).data, expected);
  expect(of).toBeGreaterThan(0.6 * WIDTH * HEIGHT);
  expect(wrong).toBe(0);
});

it('what draws can be compiled before there are particles', async () => {
  const own = await createExecutionContext({ backend: 'webgpu' });
  await compileView(own);
  const pictures = [own, ctx].map((context) => {
    const grid = particles(9, box, context);
    return createView({ context, grid, size }).picture();
  });
  const [early, late] = await Promise.all(pictures);
  expect(early!.data).toEqual(late!.data);
  await own.close();
});

it('edges of a triclinic box end where its corners are seen', async () => {
  const grid = particles(1);
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

it.each<Precision>(['f64', 'mixed'])(
  'rows of double-single numbers are drawn too (%s)',
  async (precision) => {
    const own = await createExecutionContext({ backend: 'webgpu', threads: 1, precision });
    const grid = particles(60, box, own);
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
  const grid = particles();
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
  const grid = particles(3, box, cpu);
  const view = createView({ context: cpu, grid, size });
  await expect(view.picture()).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  await expect(compileView(cpu)).rejects.toMatchObject({ code: 'BACKEND_UNAVAILABLE' });
  await cpu.close();
  const lost = createView({ context: ctx, grid: particles(3), size });
  const camera = { ...lost.camera, from: lost.camera.to };
  await expect(lost.picture({ camera })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
  await expect(lost.picture({ width: 0.5 })).rejects.toMatchObject({ code: 'INVALID_VALUE' });
  lost.look = { color: { field: 'heat' } };
  await expect(lost.picture()).rejects.toMatchObject({ code: 'UNKNOWN_FIELD' });
});
