import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, valueFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong, runs } from '../../../../../test/support/runs.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import type { PreparedCall } from '../../../src/pattern/PreparedCall.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { prepareValues } from '../../../src/value/prepareValues.js';
import {
  agrees,
  boxes,
  bruteForce,
  mutual,
  outputs,
  particles,
} from '../../shared/allPairSystems.js';
import { drift } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { push, real, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const STEPS = 30;
const orders = ['pairs first', 'bias first'] as const;
type Order = (typeof orders)[number];
/** What comes after a bias: the same calls again, or another sweep, whose parameter is a number or a value of the bias. */
type More = 'no' | 'again' | 'by a number' | 'by a value';

const shareBlock = {
  name: 'share',
  type: 'f64',
  width: 4,
  members: ['sx', 'sy', 'sz', 'n'],
} as const;
const share = { sx: 'real', sy: 'real', sz: 'real', n: 'real' } as const;

/** Clears the whole block of forces: pairs then overwrite it. */
const clearForces = cellFunctor({ name: 'clear', fields: { ...real, ep: 'real' } }, (i) => {
  i.fx = 0;
  i.fy = 0;
  i.fz = 0;
  i.ep = 0;
});
const clearShares = cellFunctor({ name: 'clear_shares', fields: share }, (i) => {
  i.sx = 0;
  i.sy = 0;
  i.sz = 0;
  i.n = 0;
});

const lose = cellFunctor({ name: 'lose', fields: { rx: 'real' }, read: { id: 'u32' } }, (i) => {
  if (i.id === 7) i.rx += 3e38;
});

/** A smooth number of neighbors, and its derivative. */
const number = pairFunctor(
  { name: 'number', central: share, params: { width: 'real' }, traits: { newton3: true } },
  (i, _j, d, p) => {
    const g = Math.exp(-d.r2 * p.width);
    i.n += g;
    i.sx -= 2 * p.width * g * d.x;
    i.sy -= 2 * p.width * g * d.y;
    i.sz -= 2 * p.width * g * d.z;
  },
);

/** Another number of neighbors, in a field of its own. */
const crowd = pairFunctor(
  { name: 'crowd', central: { m: 'real' }, params: { width: 'real' }, traits: { newton3: true } },
  (i, _j, d, p) => {
    i.m += Math.exp(-d.r2 * p.width);
  },
);
const clearCrowd = cellFunctor({ name: 'clear_crowd', fields: { m: 'real' } }, (i) => {
  i.m = 0;
});

const pull = valueFunctor({ name: 'pull', values: { n: 'real', scale: 'real' } }, (v) => {
  const apart = 0.5 * v.n - 100;
  v.scale = 0.001 * apart;
});

const bias = cellFunctor(
  {
    name: 'bias',
    fields: real,
    read: { sx: 'real', sy: 'real', sz: 'real' },
    params: { scale: 'real' },
  },
  (i, p) => {
    i.fx -= p.scale * i.sx;
    i.fy -= p.scale * i.sy;
    i.fz -= p.scale * i.sz;
  },
);

describeGpu('all pairs of few particles in one sweep', () => {
  let ctx: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
  });
  afterAll(() => ctx?.close());

  it.each(Object.keys(boxes) as (keyof typeof boxes)[])(
    'by the definition, box %s',
    async (name) => {
      const engine = engineOf(ctx);
      // Of the last, workgroups keep a part at a time.
      const sizes: [number, number, 2 | 8 | 16][] = [
        [141, 1.2, 16],
        [141, Number.POSITIVE_INFINITY, 2],
        ...(isLong ? [[1300, 0.8, 8] as [number, number, 8]] : []),
      ];
      for (const [count, rcut, lanes] of sizes) {
        const all = Array.from({ length: count }, (_, k) => k);
        engine.pairs.lanes = lanes;
        const grid = particles(ctx, boxes[name], all.length);
        const sums = ctx.value({ ep: 0, w: 0 });
        const call = prepareCellParticlePairs(grid, mutual, ctx, {
          rcut,
          params: { k: 0.3 },
          outputs,
          allPairs: true,
          into: sums,
        });
        const before = engine.gpu.counters.dispatches;
        call.run();
        // The sweep, and what combines its totals.
        expect(engine.gpu.counters.dispatches - before).toBe(2);
        const totals = await sums.read();
        await newestOnHost(grid, ctx);
        agrees(2e-6, grid, totals, bruteForce(grid, rcut, { rows: all, others: all }));
        sums.close();
        grid.free();
        engine.pairs.lanes = null;
      }
    },
  );

  it('gives no number where a particle is lost', async () => {
    const grid = particles(ctx, boxes.orthorhombic, 20);
    prepareCellParticles(grid, lose, ctx).run();
    const sums = ctx.value({ ep: 0, w: 0 });
    const options = { rcut: 1.2, params: { k: 0.3 }, outputs, allPairs: true, into: sums } as const;
    prepareCellParticlePairs(grid, mutual, ctx, options).run();
    expect((await sums.read()).ep).toBeNaN();
    sums.close();
    grid.free();
  });

  function start(count: number): Grid {
    const edge = Math.max(6, Math.cbrt(count / 0.5));
    const next = sequence(5);
    const places = Array.from(
      { length: count },
      () => [edge * next(), edge * next(), edge * next()] as const,
    );
    const grid = gridOf(ctx.heap, Domain.orthorhombic([edge, edge, edge]), places);
    grid.addBlock(shareBlock);
    grid.addBlock({ name: 'm', type: 'f64', width: 1, members: ['m'] });
    for (const name of Object.keys(velocity))
      grid.setValues(
        name,
        places.map(() => next() - 0.5),
      );
    return grid;
  }

  /** Everything after some steps, and dispatches of a step that rebuilds nothing. */
  async function run(mode: 'fused' | 'one by one', order: Order, rcut: number, more: More = 'no') {
    const engine = engineOf(ctx);
    const grid = start(300);
    const lists = { rcut: 1.5, skin: 0.5 };
    await updateNeighbors(grid, ctx, lists);
    const value = ctx.value({ n: 0, scale: 0, m: 0 });
    const pairs = prepareCellParticlePairs(grid, repel, ctx, {
      rcut: 1.5,
      params: { strength: 0.5 },
      outputs: { fx: 'particles', fy: 'particles', fz: 'particles' },
    });
    const biasOnce = [
      prepareCellParticles(grid, clearShares, ctx),
      prepareCellParticlePairs(grid, number, ctx, {
        rcut,
        params: { width: 2 },
        outputs: { sx: 'particles', sy: 'particles', sz: 'particles', n: 'both' },
        allPairs: true,
        into: value,
      }),
      prepareValues(pull, ctx, { values: { n: value.of('n'), scale: value.of('scale') } }),
      prepareCellParticles(grid, bias, ctx, { params: { scale: value.of('scale') } }),
    ];
    const crowdCalls = [
      prepareCellParticles(grid, clearCrowd, ctx),
      prepareCellParticlePairs(grid, crowd, ctx, {
        rcut,
        params: { width: more === 'by a value' ? value.of('scale') : 0.5 },
        outputs: { m: 'both' },
        allPairs: true,
        into: value,
      }),
    ];
    const others = more === 'no' ? [] : more === 'again' ? biasOnce : crowdCalls;
    const biasCalls = [...biasOnce, ...others];
    const calls = [
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
      prepareCellParticles(grid, drift, ctx, { params: { dt: 0.004 } }),
      prepareNeighborLists(grid, ctx, { ...lists, ahead: true }),
      prepareCellParticles(grid, clearForces, ctx),
      ...(order === 'pairs first' ? [pairs, ...biasCalls] : [...biasCalls, pairs]),
      prepareCellParticles(grid, push, ctx, { params: { dt: 0.002 } }),
    ] as unknown as PreparedCall<object, unknown>[];
    const step = prepareStep(ctx, calls);
    const dispatches: number[] = [];
    const { counters } = engine.gpu;
    for (let k = 0; k < STEPS; k++) {
      const earlier = counters.dispatches;
      if (mode === 'fused') await step.run();
      else for (const call of calls) call.run();
      if (!engine.idle) await engine.started();
      dispatches.push(counters.dispatches - earlier);
    }
    const values = await value.read();
    await newestOnHost(grid, ctx);
    const names = ['id', 'rx', 'ry', 'rz', ...Object.keys(velocity), ...Object.keys(share), 'm'];
    const rows = names.map((name) => [...grid.values(name)]);
    value.close();
    grid.free();
    return { rows, values, dispatches: Math.min(...dispatches.slice(STEPS / 2)) };
  }

  it.each(runs(orders.slice(0, 1), orders.slice(1)))(
    'gives a fused step with a bias beyond lists the bits of its calls one by one, %s',
    async (order) => {
      const [apart, together] = [await run('one by one', order, 2), await run('fused', order, 2)];
      expect(together.rows).toEqual(apart.rows);
      expect(together.values).toEqual(apart.values);
      expect(together.values.n).toBeGreaterThan(1);
      expect(together.dispatches).toBe(5);
      expect(apart.dispatches).toBe(11);
    },
  );

  it.each(runs(orders.slice(1), orders.slice(0, 1)))(
    'is met on the walk of a pair call whose lists have its pairs, in 3 dispatches with a bias, %s',
    async (order) => {
      const [apart, together] = [
        await run('one by one', order, 1.5),
        await run('fused', order, 1.5),
      ];
      expect(together.dispatches).toBe(3);
      expect(together.values.n).toBeGreaterThan(1);
      expect(together.values.n).toBeCloseTo(apart.values.n, 3);
      // Sums have another order.
      for (const [k, row] of together.rows.entries())
        for (const [n, value] of row.entries()) expect(value).toBeCloseTo(apart.rows[k]![n]!, 4);
    },
  );

  it.each([
    ['by a number', 3],
    ['by a value', 6],
    ['again', 7],
  ] as const)(
    'comes with the one before unless it has to do with calls between: %s',
    async (more, dispatches) => {
      const [apart, together] = [
        await run('one by one', 'pairs first', 1.5, more),
        await run('fused', 'pairs first', 1.5, more),
      ];
      expect(together.dispatches).toBe(dispatches);
      expect(together.values.n).toBeGreaterThan(1);
      expect(together.values.m).toBeCloseTo(apart.values.m, 2);
      for (const [k, row] of together.rows.entries())
        for (const [n, value] of row.entries()) expect(value).toBeCloseTo(apart.rows[k]![n]!, 4);
    },
  );
});
