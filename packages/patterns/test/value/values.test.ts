import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, reduceFunctor, valueFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itLong, itOnce, runs } from '../../../../test/support/runs.js';
import { createExecutionContext } from '../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { prepareStep } from '../../src/pattern/prepareStep.js';
import { prepareReduction } from '../../src/pattern/reduceCellParticles.js';
import { prepareNeighborLists, updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import { prepareValues } from '../../src/value/prepareValues.js';
import { drift } from '../shared/functors.js';
import { gridOf } from '../shared/grids.js';
import { sequence } from '../shared/oracle.js';
import { push, repel, velocity } from '../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../support/gpu.js';

const sums = reduceFunctor(
  {
    name: 'sums',
    result: { v2: 'sum', px: 'sum', fastest: 'max' },
    read: { vx: 'real', vy: 'real', vz: 'real' },
  },
  (acc, i) => {
    const v2 = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz;
    acc.v2 += v2;
    acc.px += i.vx;
    acc.fastest = Math.max(acc.fastest, v2);
  },
);

/** Rescales velocities to a fixed kinetic energy, and counts. */
const control = valueFunctor(
  {
    name: 'control',
    values: { v2: 'real', scale: 'real', steps: 'real', mean: 'real' },
    params: { target: 'real' },
  },
  (v, p) => {
    v.scale = Math.sqrt(p.target / v.v2);
    const recent = [0, 0, 0];
    for (let k = 0; k < 3; k++) recent[k] = (k + 1) * v.scale;
    v.mean = (recent[0]! + recent[1]! + recent[2]!) / 6;
    v.steps += 1;
  },
);

const scaleVelocities = cellFunctor(
  { name: 'scale_velocities', fields: velocity, params: { s: 'real' } },
  (i, p) => {
    i.vx *= p.s;
    i.vy *= p.s;
    i.vz *= p.s;
  },
);

const onlyHost = cellFunctor(
  { name: 'only_host', fields: { fx: 'real' }, params: { s: 'real' }, traits: { gpu: false } },
  (i, p) => {
    i.fx = p.s;
  },
);

const density = pairFunctor(
  { name: 'density', central: { ep: 'real', fx: 'real' }, params: { weight: 'real' } },
  (i, _j, d, p) => {
    i.ep += p.weight;
    i.fx += p.weight * d.x;
  },
);

const EDGE = 8;

function start(ctx: ExecutionContext, count = 120): Grid {
  const next = sequence(5);
  const places = Array.from(
    { length: count },
    () => [EDGE * next(), EDGE * next(), EDGE * next()] as const,
  );
  const grid = gridOf(ctx.heap, Domain.orthorhombic([EDGE, EDGE, EDGE]), places);
  for (const name of Object.keys(velocity))
    grid.setValues(
      name,
      places.map(() => next() - 0.5),
    );
  return grid;
}

function squares(grid: Grid): number {
  const [x, y, z] = Object.keys(velocity).map((name) => grid.values(name));
  return x!.reduce((sum, vx, k) => sum + vx ** 2 + y![k]! ** 2 + z![k]! ** 2, 0);
}

interface Place {
  readonly digits: number;
  readonly isOnHost?: boolean;
  readonly isDouble?: boolean;
}

function testValues(
  open: () => Promise<ExecutionContext>,
  { digits, isOnHost = false, isDouble = false }: Place,
): void {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await open();
  });
  afterAll(() => ctx.close());

  it('are written and read in the order of calls', async () => {
    const value = ctx.value({ a: 1, b: -2.5 });
    const first = value.read();
    value.write({ a: 3, b: 1e-3 });
    expect(await first).toEqual({ a: 1, b: -2.5 });
    const { a, b } = await value.read();
    expect(a).toBe(3);
    expect(b).toBeCloseTo(1e-3, 12);
    value.close();
  });

  it('are read after calls that are still under way, in the background too', async () => {
    const grid = start(ctx);
    const found = ctx.value({ v2: 0, px: 0, fastest: 0 });
    const options = { into: found, asynchronous: true, lane: 1, enableGpu: false } as const;
    const call = prepareReduction(grid, sums, {}, ctx, options);
    const made = call.run();
    expect(made.done).toBe(false);
    expect((await found.read()).v2).toBeCloseTo(squares(grid), digits);
    expect(made.done).toBe(true);
    call.close();
    grid.free();
  });

  // Such calls run on the host.
  (isOnHost ? itOnce : itLong)(
    'are read after thousands of calls that are still under way',
    async () => {
      const grid = start(ctx);
      const found = ctx.value({ v2: 0, px: 0, fastest: 0 });
      const options = { into: found, asynchronous: true, lane: 1, enableGpu: false } as const;
      const call = prepareReduction(grid, sums, {}, ctx, options);
      const made = Array.from({ length: 5000 }, () => call.run());
      expect(made.at(-1)!.done).toBe(false);
      expect((await found.read()).v2).toBeCloseTo(squares(grid), digits);
      expect(made.every(({ done }) => done)).toBe(true);
      call.close();
      grid.free();
    },
  );

  it('hold what reductions found, and are parameters of later calls', async () => {
    const grid = start(ctx);
    const before = squares(grid);
    const found = ctx.value({ v2: 0, px: 0, fastest: 0 });
    const state = ctx.value({ scale: 1, steps: 0, mean: 0 });
    const calls = [
      prepareReduction(grid, sums, {}, ctx, { into: found }),
      prepareValues(control, ctx, {
        values: {
          v2: found.of('v2'),
          scale: state.of('scale'),
          steps: state.of('steps'),
          mean: state.of('mean'),
        },
        params: { target: 7 },
      }),
      prepareCellParticles(grid, scaleVelocities, ctx, { params: { s: state.of('scale') } }),
    ];
    for (const call of calls) call.run();
    const numbers = await state.read();
    expect(numbers.scale).toBeCloseTo(Math.sqrt(7 / before), digits);
    expect(numbers.mean).toBeCloseTo(numbers.scale, digits);
    for (let k = 0; k < 4; k++) for (const call of calls) call.run();
    expect((await state.read()).steps).toBe(5);
    expect((await found.read()).v2).toBeCloseTo(7, digits);
    await newestOnHost(grid, ctx);
    expect(squares(grid)).toBeCloseTo(7, digits);
    for (const thing of [found, state]) thing.close();
    grid.free();
  });

  it('are parameters of pairs, whose totals go into others', async () => {
    const grid = start(ctx);
    await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.2 });
    const weight = ctx.value({ weight: 2 });
    const totals = ctx.value({ other: 9, ep: 0, fx: 0 });
    const call = prepareCellParticlePairs(grid, density, ctx, {
      rcut: 1.5,
      params: { weight: weight.of('weight') },
      outputs: { ep: 'total', fx: 'total' },
      into: totals,
    });
    const once = prepareCellParticlePairs(grid, density, ctx, {
      rcut: 1.5,
      params: { weight: 1 },
      outputs: { ep: 'total', fx: 'none' },
    });
    call.run();
    const { ep } = await once.run();
    expect(ep).toBeGreaterThan(100);
    expect(await totals.read()).toMatchObject({ other: 9, ep: 2 * ep });
    weight.write({ weight: 0.5 });
    call.run();
    expect((await totals.read()).ep).toBeCloseTo(ep / 2, digits);
    grid.free();
  });

  it('reach functors that only the host runs', async () => {
    const grid = start(ctx, 10);
    const state = ctx.value({ scale: 0.25 });
    await prepareCellParticles(grid, onlyHost, ctx, { params: { s: state.of('scale') } }).run();
    expect([...grid.values('fx')]).toEqual(Array(10).fill(0.25));
    grid.free();
  });

  it('refuse what they cannot hold', () => {
    const grid = start(ctx, 10);
    const found = ctx.value({ px: 0, v2: 0, fastest: 0 });
    expect(() => prepareReduction(grid, sums, {}, ctx, { into: found })).toThrow(/in this order/);
    const right = ctx.value({ v2: 0, px: 0, fastest: 0 });
    expect(() => prepareReduction(grid, sums, { v2: 1 }, ctx, { into: right })).toThrow(/initial/);
    expect(() => found.of('nothing' as 'px')).toThrow(/there is no value/);
    grid.free();
  });

  it('are refused when they are closed, and leave those alone that have their place then', async () => {
    const grid = start(ctx, 10);
    const gone = ctx.value({ v2: 1, px: 2, fastest: 3 });
    const scale = gone.of('v2');
    const options = { params: { s: scale } };
    const before = [
      prepareCellParticles(grid, scaleVelocities, ctx, options),
      prepareReduction(grid, sums, {}, ctx, { into: gone }),
    ];
    const step = prepareStep(ctx, before);
    for (let k = 0; k < 2; k++) gone.close();
    const [next, other] = [ctx.value({ a: 4, b: 5, c: 6 }), ctx.value({ d: 7, e: 8, f: 9 })];
    const uses: (() => unknown)[] = [
      () => gone.read(),
      () => gone.write({ v2: 0, px: 0, fastest: 0 }),
      () => gone.of('px'),
      () => prepareCellParticles(grid, scaleVelocities, ctx, options),
      () => prepareReduction(grid, sums, {}, ctx, { into: gone }),
      () => prepareStep(ctx, before),
      () => step.run(),
      ...before.map((call) => () => call.run()),
    ];
    for (const use of uses)
      expect(use).toThrow(
        expect.objectContaining({
          code: 'CLOSED',
          message: 'the value { v2, px, fastest } is closed: make it again with ctx.value',
        }),
      );
    expect(await next.read()).toEqual({ a: 4, b: 5, c: 6 });
    expect(await other.read()).toEqual({ d: 7, e: 8, f: 9 });
    grid.free();
  });

  it('of another context are refused, as its particles are', async () => {
    await using elsewhere = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = start(ctx, 10);
    const { of, into } = {
      of: elsewhere.value({ s: 7 }).of('s'),
      into: elsewhere.value({ v2: 0, px: 0, fastest: 0 }),
    };
    const uses = [
      () => prepareCellParticles(grid, scaleVelocities, ctx, { params: { s: of } }),
      () => prepareReduction(grid, sums, {}, ctx, { into }),
      () => prepareCellParticles(grid, scaleVelocities, elsewhere, { params: { s: 1 } }),
    ];
    for (const use of uses)
      expect(use).toThrow(/of another execution context: make (it|the grid) with/);
    grid.free();
  });

  it('are not for calls without results', () => {
    const grid = start(ctx, 10);
    const into = ctx.value({ ep: 0 });
    const options = { rcut: 1.5, params: { strength: 1 }, into };
    expect(() => prepareCellParticlePairs(grid, repel, ctx, options)).toThrow(
      /'repel' has no totals for a value: let outputs go to total, or leave into out/,
    );
    grid.free();
  });

  /** Steps at constant kinetic energy; the lists are too old now and then, so that steps are made again. */
  async function steps(mode: 'fused' | 'one by one', speed: number) {
    const repeats = () => (ctx.backend === 'webgpu' ? engineOf(ctx).speculation.repeats : 0);
    const before = repeats();
    const grid = start(ctx, 200);
    const found = ctx.value({ v2: 0, px: 0, fastest: 0 });
    const state = ctx.value({ scale: 1, steps: 0, mean: 0 });
    const lists = { rcut: 1.5, skin: 0.3 };
    const calls = [
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
      prepareCellParticles(grid, drift, ctx, { params: { dt: speed } }),
      prepareNeighborLists(grid, ctx, { ...lists, ahead: true }),
      prepareCellParticlePairs(grid, repel, ctx, { rcut: 1.5, params: { strength: 0.5 } }),
      prepareReduction(grid, sums, {}, ctx, { into: found }),
      prepareValues(control, ctx, {
        values: {
          v2: found.of('v2'),
          scale: state.of('scale'),
          steps: state.of('steps'),
          mean: state.of('mean'),
        },
        params: { target: 50 },
      }),
      prepareCellParticles(grid, scaleVelocities, ctx, { params: { s: state.of('scale') } }),
    ];
    await updateNeighbors(grid, ctx, lists);
    const step = prepareStep(ctx, calls);
    const seen: unknown[] = [];
    for (let k = 0; k < 60; k++) {
      if (mode === 'fused') await step.run();
      else for (const call of calls) call.run();
      if (k % 20 === 9) seen.push(state.read());
    }
    seen.push(state.read());
    const numbers = await Promise.all(seen);
    await newestOnHost(grid, ctx);
    const rows = [...grid.rowsById()];
    const vx = rows.map((row) => grid.values('vx')[row]!);
    // The next run has the places of these, which kernels name.
    for (const thing of [found, state]) thing.close();
    grid.free();
    return { numbers, vx, repeats: repeats() - before };
  }

  it.each(runs(isDouble ? [] : [0.1], isDouble ? [0.1, 0.01] : [0.01]))(
    'belong to the state that steps are made again from (%d)',
    async (speed) => {
      const fused = await steps('fused', speed);
      const apart = await steps('one by one', speed);
      expect(fused.numbers).toEqual(apart.numbers);
      expect(fused.vx).toEqual(apart.vx);
      if (speed > 0.02 && ctx.backend === 'webgpu') expect(fused.repeats).toBeGreaterThan(0);
      expect(fused.numbers.map((one) => (one as { steps: number }).steps)).toEqual([
        10, 30, 50, 60,
      ]);
    },
  );
}

describe('values on the CPU', () =>
  testValues(() => createExecutionContext({ backend: 'cpu', threads: 1 }), {
    digits: 12,
    isOnHost: true,
  }));
describeGpu('values on a device', () => testValues(() => gpuContext(), { digits: 4 }));
describeGpu('values on a device in double-single', () =>
  testValues(() => gpuContext(undefined, 'f64'), { digits: 11, isDouble: true }),
);
