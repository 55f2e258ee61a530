import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, reduceFunctor, valueFunctor } from '@corpuscle/functor';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isLong, itLong, itOnce, runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareReduction } from '../../../src/pattern/reduceCellParticles.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { prepareValues } from '../../../src/value/prepareValues.js';
import { drift } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { push, real, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const RCUT = 1.5;
const STEPS = 40;

/** Clears the whole block of forces: pairs then overwrite it. */
const clear = cellFunctor({ name: 'clear', fields: { ...real, ep: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});

const squares = reduceFunctor(
  { name: 'squares', result: { v2: 'sum', fastest: 'max', count: 'sum' }, read: velocity },
  (acc, i) => {
    const v2 = i.vx * i.vx + i.vy * i.vy + i.vz * i.vz;
    acc.v2 += v2;
    acc.fastest = Math.max(acc.fastest, v2);
    acc.count += 1;
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

/** The factor after forces, and the one before particles move, of a thermostat in two halves. */
const after = valueFunctor(
  {
    name: 'after',
    values: { v2: 'real', count: 'real', last: 'real' },
    params: { target: 'real' },
  },
  (v, p) => {
    v.last = Math.sqrt(Math.sqrt((p.target * v.count) / v.v2));
    v.v2 *= v.last * v.last;
  },
);
const before = valueFunctor(
  {
    name: 'before',
    values: { v2: 'real', count: 'real', first: 'real', steps: 'real' },
    params: { target: 'real' },
  },
  (v, p) => {
    v.first = Math.sqrt(Math.sqrt((p.target * v.count) / v.v2));
    v.steps += 1;
  },
);

/** A soft repulsion with its energy, and speeds beside that energy. */
const soft = pairFunctor({ name: 'soft', central: { ...real, ep: 'real' } }, (i, _j, d) => {
  const u = 2.25 - d.r2;
  i.fx += u * d.x;
  i.fy += u * d.y;
  i.fz += u * d.z;
  i.ep += 0.125 * u * u;
});
const besideEnergy = reduceFunctor(
  { name: 'beside_energy', result: { sum: 'sum' }, read: velocity, params: { energy: 'real' } },
  (acc, i, p) => {
    acc.sum += i.vx * i.vx * p.energy;
  },
);

interface Shape {
  readonly count: number;
  readonly lanes?: 1 | 2 | 4 | 8 | 16 | 32;
  /** Asks for totals of pairs: those that the host gets let nothing follow in their kernel. */
  readonly totals?: 'host' | 'values';
  /** Leaves the thermostat out. */
  readonly plain?: boolean;
  /** Default: STEPS. */
  readonly steps?: number;
  /** Done before each step. */
  readonly disturb?: (grid: Grid, step: number, read: () => Promise<unknown>) => unknown;
}

describeGpu('reductions into values at the end of other kernels', () => {
  // In a context of their own, values of a test take the same places, which kernels name: kernels are compiled once for all.
  let ctx: ExecutionContext;
  beforeEach(async () => {
    ctx = await gpuContext();
  });
  afterEach(() => ctx.close());

  function start(context: ExecutionContext, count: number): Grid {
    const edge = Math.max(6, Math.cbrt(count / 0.5));
    const next = sequence(5);
    const places = Array.from(
      { length: count },
      () => [edge * next(), edge * next(), edge * next()] as const,
    );
    const grid = gridOf(context.heap, Domain.orthorhombic([edge, edge, edge]), places);
    for (const name of Object.keys(velocity))
      grid.setValues(
        name,
        places.map(() => next() - 0.5),
      );
    return grid;
  }

  /** Everything after some steps, what was read on the way, and dispatches of most steps, which rebuild nothing. */
  async function run(
    context: ExecutionContext,
    mode: 'fused' | 'one by one',
    { count, lanes, totals, plain = false, steps = STEPS, disturb }: Shape,
  ) {
    const engine = engineOf(context);
    engine.pairs.lanes = lanes ?? null;
    const grid = start(context, count);
    const lists = { rcut: RCUT, skin: 0.5 };
    await updateNeighbors(grid, context, lists);
    const value = context.value({
      v2: 0.25 * count,
      fastest: 0,
      count,
      first: 1,
      last: 1,
      steps: 0,
    });
    const goes = totals ? 'both' : 'particles';
    const target = { target: 0.2 };
    const of = <N extends Parameters<typeof value.of>[0]>(...names: readonly N[]) =>
      Object.fromEntries(names.map((name) => [name, value.of(name)]));
    const sums = context.value({ fx: 0, fy: 0 });
    const calls: PreparedCall<object, unknown>[] = [
      prepareValues(before, context, {
        values: of('v2', 'count', 'first', 'steps') as never,
        params: target,
      }),
      prepareCellParticles(grid, scaleVelocities, context, { params: { s: value.of('first') } }),
      prepareCellParticles(grid, push, context, { params: { dt: 0.002 } }),
      prepareCellParticles(grid, drift, context, { params: { dt: 0.004 } }),
      prepareNeighborLists(grid, context, { ...lists, ahead: true }),
      prepareCellParticles(grid, clear, context),
      prepareCellParticlePairs(grid, repel, context, {
        rcut: RCUT,
        params: { strength: 0.5 },
        outputs: { fx: goes, fy: goes, fz: 'particles' },
        ...(totals === 'values' ? { into: sums } : {}),
      }),
      prepareCellParticles(grid, push, context, { params: { dt: 0.002 } }),
      prepareReduction(grid, squares, {}, context, { into: value }),
      prepareValues(after, context, {
        values: of('v2', 'count', 'last') as never,
        params: target,
      }),
      prepareCellParticles(grid, scaleVelocities, context, { params: { s: value.of('last') } }),
    ];
    const used = plain ? calls.slice(2, 8) : calls;
    const step = prepareStep(context, used);
    const seen: unknown[] = [];
    const dispatches: number[] = [];
    const { counters } = engine.gpu;
    for (let k = 0; k < steps; k++) {
      await disturb?.(grid, k, async () => seen.push(await value.read(), await sums.read()));
      const earlier = counters.dispatches;
      if (mode === 'fused') await step.run();
      else for (const call of used) call.run();
      if (!engine.idle) await engine.started();
      dispatches.push(counters.dispatches - earlier);
    }
    const values = { ...(await value.read()), ...(await sums.read()) };
    await newestOnHost(grid, context);
    const names = ['id', 'rx', 'ry', 'rz', ...Object.keys(velocity), ...Object.keys(real)];
    const rows = names.map((name) => [...grid.values(name)]);
    engine.pairs.lanes = null;
    // The next run has the places of these, which kernels name.
    value.close();
    sums.close();
    grid.free();
    const late = dispatches.slice(steps / 2).sort((a, b) => a - b);
    return { rows, values, seen, dispatches: late[steps / 4]! };
  }

  async function compare(context: ExecutionContext, shape: Shape) {
    const together = await run(context, 'fused', shape);
    const apart = await run(context, 'one by one', shape);
    expect(together.rows).toEqual(apart.rows);
    expect(together.values).toEqual(apart.values);
    expect(together.seen).toEqual(apart.seen);
    expect(together.values.steps).toBe(shape.plain ? 0 : (shape.steps ?? STEPS));
    return { together, apart };
  }

  itOnce(
    'takes three dispatches a step of a thermostat in two halves instead of a dozen',
    async () => {
      const { together, apart } = await compare(ctx, { count: 300 });
      expect(together.dispatches).toBe(3);
      expect(apart.dispatches).toBe(12);
    },
  );

  it('gives the same bits for any number of particles and of threads a particle', async () => {
    const shapes = runs(
      [[33, 32]] as const,
      [
        [700, 2],
        [900, 32],
        [4000, 16],
        [1, 1],
        [33, 8],
        [129, 4],
        [4100, 1],
        [33_000, 1],
      ] as const,
    );
    for (const [count, lanes] of shapes)
      await compare(ctx, { count, lanes, steps: count > 10_000 ? 12 : STEPS });
  }, 180_000);

  itLong('is the end of a kernel of cell calls where the host gets totals of pairs', async () => {
    const { together } = await compare(ctx, { count: 300, totals: 'host' });
    expect(together.dispatches).toBeLessThanOrEqual(6);
  });

  it('combines totals of pairs that go into values with the results of reductions', async () => {
    const read: Shape['disturb'] = (_grid, step, look) => (step % 9 === 4 ? look() : undefined);
    for (const [count, lanes] of runs(
      [[700, 2]] as const,
      [
        [129, 8],
        [4100, 1],
      ] as const,
    )) {
      const shape: Shape = { count, lanes, totals: 'values', disturb: read };
      const { together } = await compare(ctx, shape);
      expect(together.dispatches).toBe(3);
    }
  });

  itOnce('combines totals of pairs where nothing is reduced', async () => {
    const { together } = await compare(ctx, { count: 300, totals: 'values', plain: true });
    expect(together.dispatches).toBe(2);
  });

  itOnce('a reduction that takes a total of pairs runs after that total is known', async () => {
    const sums: number[] = [];
    for (const mode of ['fused', 'one by one'] as const) {
      const grid = start(ctx, 300);
      const lists = { rcut: RCUT, skin: 0.5 };
      await updateNeighbors(grid, ctx, lists);
      const value = ctx.value({ ep: 0, sum: 0 });
      const calls: PreparedCall<object, unknown>[] = [
        prepareCellParticles(grid, drift, ctx, { params: { dt: 0.004 } }),
        prepareNeighborLists(grid, ctx, { ...lists, ahead: true }),
        prepareCellParticles(grid, clear, ctx),
        prepareCellParticlePairs(grid, soft, ctx, {
          rcut: RCUT,
          outputs: { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'both' },
          into: value,
        }),
        prepareReduction(grid, besideEnergy, {}, ctx, {
          into: value,
          params: { energy: value.of('ep') },
        }),
      ];
      const step = prepareStep(ctx, calls);
      for (let k = 0; k < 12; k++) {
        if (mode === 'fused') await step.run();
        else for (const call of calls) call.run();
      }
      sums.push((await value.read()).sum);
    }
    expect(sums[0]).toBe(sums[1]);
    expect(sums[0]).not.toBe(0);
  });

  itOnce('a read between two steps sees the end of the first', async () => {
    const disturb: Shape['disturb'] = async (grid, step, read) => {
      if (step % 7 === 3) await read();
      if (step % 11 === 5) await newestOnHost(grid, ctx);
      if (step === 21) grid.setValues('vx', new Array<number>(grid.count).fill(0.3));
      if (step === 24) engineOf(ctx).gpu.stream.flush();
    };
    const { together } = await compare(ctx, { count: 200, disturb });
    expect(together.seen.length).toBeGreaterThan(4);
  });

  // Its kernels take long to compile.
  if (isLong)
    it('gives the same bits in double-single', async () => {
      await using double = await createExecutionContext({ backend: 'webgpu', precision: 'f64' });
      await compare(double, { count: 150 });
    });
});
