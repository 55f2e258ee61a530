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
  prepareCellParticlePairs,
  prepareCellParticles,
  prepareNeighborLists,
  prepareStep,
  updateNeighbors,
} from '@corpuscle/patterns';
import { cameraFor, compileView, createView, typeColors } from '@corpuscle/view';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { compared, RayCaster } from '../support/rayCast.js';
import {
  ballsOf,
  bare,
  byType,
  cameras,
  centers,
  HEIGHT,
  particles,
  size,
  WIDTH,
  wrongPixels,
} from './support/scene.js';

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
let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'webgpu', threads: 1 });
});
afterAll(() => ctx.close());

it('positions that the device moved are drawn without coming to the host', async () => {
  const grid = particles(ctx);
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
  expect(await wrongPixels(ctx, grid, {}, cameras.perspective!, moved)).toBe(0);
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
    const grid = particles(context, 9);
    return createView({ context, grid, size }).picture();
  });
  const [early, late] = await Promise.all(pictures);
  expect(early!.data).toEqual(late!.data);
  await own.close();
});
