import { Domain, Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import type { StepCall } from '../../../src/engine/Engine.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { push, real, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const SIDE = 9;
const COUNT = 700;
const reach = { rcut: 1.5, skin: 0.4 };
const whole = { lower: [0, 0, 0], upper: [1, 1, 1] };
const names = ['rx', 'ry', 'rz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz'] as const;

const clearAll = cellFunctor({ name: 'clear_all', fields: { ...real, ep: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});

const clearSome = cellFunctor({ name: 'clear_some', fields: { fx: 'real' } }, (i) => {
  i.fx = 0;
});

const fly = cellFunctor(
  { name: 'fly', fields: { rx: 'real', ry: 'real', rz: 'real' }, read: velocity },
  (i) => {
    i.rx += 0.05 * i.vx;
    i.ry += 0.05 * i.vy;
    i.rz += 0.05 * i.vz;
  },
);

describeGpu('pairs of own particles that move all but the border', () => {
  /** In a context of its own. One is closed before the next one: it has the device for which that has compiled. */
  async function start() {
    const ctx = await gpuContext();
    const next = sequence(7);
    const places = Array.from(
      { length: COUNT },
      () => [SIDE * next(), SIDE * next(), SIDE * next()] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([SIDE, SIDE, SIDE]), places);
    for (const name of ['vx', 'vy', 'vz'])
      grid.setValues(
        name,
        places.map(() => next() - 0.5),
      );
    /** Of a step from one drift to the next. */
    const prepared = (clear: typeof clearAll | typeof clearSome) => [
      prepareCellParticles(grid, clear, ctx),
      prepareCellParticlePairs(grid, repel, ctx, { rcut: 1.5, params: { strength: 0.02 } }),
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.3 } }),
      prepareCellParticles(grid, fly, ctx),
    ];
    const byId = async () => {
      await newestOnHost(grid, ctx);
      const ids = grid.block('id').array;
      const order = Array.from({ length: COUNT }, (_, row) => row);
      order.sort((a, b) => Number(ids[2 * a]) - Number(ids[2 * b]));
      return names.map((name) => {
        const { block, component } = grid.field(name);
        const { array, spec } = grid.block(block);
        return order.map((row) => Number(array[spec.width * row + component]));
      });
    };
    return { ctx, grid, prepared, byId };
  }

  const callsOf = (all: readonly PreparedCall<never, unknown>[]): StepCall[] =>
    (all as never as { engineCall: StepCall['call']; stepArguments: StepCall['args'] }[]).map(
      ({ engineCall, stepArguments }) => ({ call: engineCall, args: stepArguments }),
    );

  /** Opens a halo whose border is this part of the box, and builds the lists. */
  async function haloOf(
    { ctx, grid }: Awaited<ReturnType<typeof start>>,
    upper: readonly number[],
  ) {
    const halo = engineOf(ctx).openHalo(grid, new Grid(ctx.heap, grid.domain));
    halo.setRegion(whole);
    const build = await halo.sort('own', reach);
    while (!(await build()));
    const { border } = await halo.select([{ lower: [0, 0, 0], upper }]);
    return { halo, border };
  }

  it('leave what calls one by one leave, though met twice, and tell the farthest way', async () => {
    const alone = await start();
    await updateNeighbors(alone.grid, alone.ctx, reach);
    const before = await alone.byId();
    for (let step = 0; step < 3; step++)
      for (const call of alone.prepared(clearAll)) await call.run();
    const known = await alone.byId();
    await alone.ctx.close();
    const ways = known[0]!.map((_, k) =>
      Math.hypot(...[0, 1, 2].map((axis) => known[axis]![k]! - before[axis]![k]!)),
    );
    for (const upper of [
      [0.3, 1, 1],
      [1, 1, 1],
      [-1, -1, -1],
    ]) {
      const system = await start();
      const { halo, border } = await haloOf(system, upper);
      const move = halo.prepareMove(callsOf(system.prepared(clearAll) as never))!;
      expect(border).toBe(before[0]!.filter((x) => x <= SIDE * upper[0]!).length);
      for (let step = 0; step < 3; step++) {
        move.meet();
        if (step < 2) move.meet();
        move.goOn();
      }
      expect(await halo.moved()).toBeCloseTo(Math.max(...ways), 5);
      const found = await system.byId();
      for (const [n, values] of found.entries()) {
        const off = values.map((value, k) => Math.abs(value - known[n]![k]!));
        expect(Math.max(...off), names[n]).toBeLessThan(1e-5);
      }
      halo.free();
      await system.ctx.close();
    }
  });

  it('are not made where they could not be met again', async () => {
    const system = await start();
    const { halo } = await haloOf(system, [0.3, 1, 1]);
    expect(halo.prepareMove(callsOf(system.prepared(clearSome) as never))).toBeNull();
    halo.free();
    await system.ctx.close();
  });
});
