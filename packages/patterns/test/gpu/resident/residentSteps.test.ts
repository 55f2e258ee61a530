import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor } from '@corpuscle/functor';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { itLong, itOnce, runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import type { NeighborUpdate } from '../../../src/plan/calls.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { clearAll, drift, push, repel, velocity } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const RCUT = 1.5;
const DT = 0.01;
const SKEWED = [5, 0, 0, 1, 5, 0, -1, 2, 5];
/** Open along one axis, along which lists reach over all. */
const FILM = Domain.orthorhombic([5, 5, 2], { periodic: [true, true, false] });
const FIELDS = ['id', 'rx', 'ry', 'rz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz'];

/** A spring to a place, which is told by coordinates of the box and not of its cells. */
const tether = cellFunctor(
  {
    name: 'tether',
    fields: { fx: 'real', fy: 'real', fz: 'real' },
    read: { rx: 'real', ry: 'real', rz: 'real' },
  },
  (i) => {
    i.fx -= 0.5 * (i.rx - 1);
    i.fy -= 0.5 * (i.ry - 2);
    i.fz -= 0.5 * (i.rz - 3);
  },
);

interface Run {
  readonly count: number;
  readonly steps: number;
  /** Threads a particle; null for as many as suit the device. */
  readonly lanes?: 1 | 2 | 4 | null;
  readonly domain?: Domain;
  /** Whether series of steps are one dispatch. */
  readonly resident: boolean;
  /** Whether lists are built in place between sorts. */
  readonly inPlace?: boolean;
  /** Whether particles are bound to a place. */
  readonly bound?: boolean;
  /** Done before each step. */
  readonly before?: (grid: Grid, step: number) => unknown;
}

/** Rows after some steps, what list updates found, and how many steps were parts of one dispatch. */
async function run(
  ctx: ExecutionContext,
  { count, steps, lanes = 1, resident, before, inPlace = false, bound = false, ...rest }: Run,
) {
  const { gpu, pairs, speculation, neighbors } = engineOf(ctx);
  neighbors.builder.inPlace.upTo = inPlace ? Infinity : 0;
  const { domain = Domain.orthorhombic([5, 5, 5]) } = rest;
  pairs.lanes = lanes;
  gpu.resident.isOn = resident;
  const { counters } = gpu.resident;
  const [from, repeats] = [{ ...counters }, speculation.repeats];
  const next = sequence(5);
  const places = Array.from({ length: count }, () => domain.toCartesian(next(), next(), next()));
  const grid = gridOf(ctx.heap, domain, places);
  for (const name of Object.keys(velocity))
    grid.setValues(
      name,
      places.map(() => 2 * next() - 1),
    );
  const lists = { rcut: RCUT, skin: 0.6 };
  await updateNeighbors(grid, ctx, lists);
  const found: NeighborUpdate[] = [];
  const step = prepareStep(ctx, [
    prepareCellParticles(grid, push, ctx, { params: { dt: DT / 2 } }),
    prepareCellParticles(grid, drift, ctx, { params: { dt: DT } }),
    prepareNeighborLists(grid, ctx, {
      ...lists,
      ahead: true,
      onUpdate: (update) => found.push(update),
    }),
    prepareCellParticles(grid, clearAll, ctx),
    prepareCellParticlePairs(grid, repel, ctx, {
      rcut: RCUT,
      params: { strength: 5 },
      outputs: { fx: 'particles', fy: 'particles', fz: 'particles' },
    }),
    ...(bound ? [prepareCellParticles(grid, tether, ctx)] : []),
    prepareCellParticles(grid, push, ctx, { params: { dt: DT / 2 } }),
  ]);
  if (!before) await step.run(steps);
  for (let k = 0; before && k < steps; k++) {
    await before(grid, k);
    await step.run();
  }
  await newestOnHost(grid, ctx);
  const said = step.explain();
  const halfSkin = neighbors.lists(grid)!.effectiveSkin / 2;
  const rows = FIELDS.map((name) => [...grid.values(name)]);
  grid.free();
  pairs.lanes = null;
  return {
    rows,
    found,
    halfSkin,
    series: counters.series - from.series,
    steps: counters.steps - from.steps,
    repeated: counters.repeated - from.repeated,
    repeats: speculation.repeats - repeats,
    isOn: gpu.resident.isOn,
    said,
  };
}

const farthestApart = (some: readonly number[][], others: readonly number[][]): number =>
  Math.max(...some.flatMap((row, k) => row.map((x, i) => Math.abs(x - others[k]![i]!))));

/** Steps that lists serve, on the mean. */
const stepsOfList = (found: readonly NeighborUpdate[]): number =>
  found.length / found.filter(({ rebuilt }) => rebuilt).length;

/** Velocities and forces in the order of ids: rows depend on when particles were sorted. */
const byId = ([ids, , , , ...others]: readonly (readonly number[])[]): number[][] => {
  const order = ids!.map((_, row) => row).sort((a, b) => ids![a]! - ids![b]!);
  return others.map((values) => order.map((row) => values[row]!));
};

describeGpu('steps in one dispatch', () => {
  // One context at a time: it has the device for which the tests before have compiled.
  let ctx: ExecutionContext;
  beforeEach(async () => {
    ctx = await gpuContext();
  });
  afterEach(() => ctx.close());

  /** The same steps in a dispatch each, and in series. */
  async function compare(test: Omit<Run, 'resident'>) {
    const { before: _, ...undisturbed } = test;
    const apart = await run(ctx, { ...undisturbed, resident: false });
    const whole = await run(ctx, { ...test, resident: true });
    expect(apart.steps).toBe(0);
    expect(whole.rows).toEqual(apart.rows);
    expect(whole.found).toEqual(apart.found);
    return { ...whole, apart };
  }

  /** Where only the host decides when lists are built: so bits are the same. */
  async function useDeterministic(): Promise<void> {
    await ctx.close();
    const precision = 'f32';
    ctx = await createExecutionContext({ backend: 'webgpu', precision, deterministic: true });
  }

  it('give the same bits as one dispatch a step', async () => {
    for (const lanes of runs([1, 4] as const, [1, 2, 4] as const)) {
      const { steps, repeated, series, isOn, said } = await compare({
        count: 120 / lanes,
        lanes,
        steps: 100,
      });
      expect(steps).toBeGreaterThan(60);
      expect(repeated).toBeGreaterThan(steps / 4);
      expect(series).toBeLessThan(steps / 2);
      expect(isOn).toBe(true);
      expect(said).toMatch(/^many steps a dispatch: \d+ steps/);
    }
  });

  it('go on over builds of lists in place, with the same bits where the host alone decides on them', async () => {
    await useDeterministic();
    for (const lanes of runs([4] as const, [1, 2, 4] as const)) {
      for (const domain of [Domain.orthorhombic([5, 5, 5]), Domain.triclinic(SKEWED), FILM]) {
        const { steps, repeated, series, isOn, found } = await compare({
          count: 128 / lanes,
          lanes,
          domain,
          inPlace: true,
          steps: 160,
        });
        expect(isOn).toBe(true);
        expect(steps).toBeGreaterThan(100);
        expect(repeated).toBeGreaterThan(steps / 4);
        // A series goes past builds.
        expect(steps / series).toBeGreaterThan(stepsOfList(found));
      }
    }
  });

  it('build lists as soon as a particle has gone half the skin', async () => {
    for (const lanes of runs([4] as const, [1, 2, 4] as const)) {
      for (const domain of [Domain.orthorhombic([5, 5, 5]), Domain.triclinic(SKEWED), FILM]) {
        const test = { count: 128 / lanes, lanes, domain, inPlace: true, steps: 200 };
        const apart = await run(ctx, { ...test, resident: false });
        const { rows, found, halfSkin, repeats, isOn, steps, series } = await run(ctx, {
          ...test,
          resident: true,
        });
        expect(isOn).toBe(true);
        expect(farthestApart(byId(rows), byId(apart.rows))).toBeLessThan(0.02);
        const built = found.filter(({ reason }) => reason === 'a particle moved half the skin');
        expect(built.length).toBeGreaterThan(0);
        for (const { rebuilt, maxDisplacement } of found) {
          // Lists that are used go on for half the skin at most; what has voted is one step farther.
          if (!rebuilt) expect(maxDisplacement).toBeLessThan(halfSkin);
        }
        for (const { maxDisplacement } of built)
          expect(maxDisplacement).toBeGreaterThan(0.999 * halfSkin);
        expect(repeats).toBeLessThanOrEqual(apart.repeats);
        expect(steps / series).toBeGreaterThan(stepsOfList(found));
      }
    }
  });

  it('know where particles are in the box, whatever a build of lists calls so', async () => {
    await useDeterministic();
    const test = { count: 32, lanes: 4, bound: true, inPlace: true, steps: 60 } as const;
    const { steps } = await compare(test);
    expect(steps).toBeGreaterThan(20);
  });

  it('lose no build of lists when the batch is full', async () => {
    await useDeterministic();
    const { arrivals } = engineOf(ctx).gpu.stream;
    const longestBatch = 500;
    arrivals.dispatchesIn = (milliseconds) => (milliseconds === longestBatch ? 7 : 1000);
    const domain = Domain.orthorhombic([5, 5, 5]);
    const { series } = await compare({ count: 32, lanes: 4, domain, inPlace: true, steps: 160 });
    expect(series).toBeGreaterThan(10);
  });

  itLong('are the same in a skewed box', async () => {
    const domain = Domain.triclinic([5, 0, 0, 1, 5, 0, -1, 2, 5]);
    const { steps } = await compare({ count: 100, domain, steps: 60 });
    expect(steps).toBeGreaterThan(20);
  });

  itOnce('are taken one by one after a meeting of workgroups has failed', async () => {
    const before = (_: Grid, step: number): void => {
      // The host expects more meetings than there are.
      if (step === 40) engineOf(ctx).gpu.resident.met += 1000;
    };
    const { steps, repeats, isOn, said, apart } = await compare({ count: 60, steps: 80, before });
    expect(isOn).toBe(false);
    expect(apart.said).toContain('on a software adapter');
    expect(said).toContain('did not wait for each other');
    expect(repeats).toBe(apart.repeats + 1);
    expect(steps).toBeGreaterThan(10);
  });

  it('have fewer threads a particle after a meeting of many workgroups has failed', async () => {
    const { gpu, pairs } = engineOf(ctx);
    const before = (_: Grid, step: number): void => {
      if (step === 40) gpu.resident.met += 1000;
    };
    const test = { count: 100, lanes: null, steps: 120 };
    const apart = await run(ctx, { ...test, resident: false });
    const lanes = pairs.lanesFor(test.count);
    const { steps, isOn, repeats, said, rows } = await run(ctx, {
      ...test,
      resident: true,
      before,
    });
    expect(isOn).toBe(true);
    expect(repeats).toBe(apart.repeats + 1);
    expect(pairs.lanesFor(test.count)).toBe(lanes / 2);
    expect(steps).toBeGreaterThan(80);
    expect(said).toContain('many steps a dispatch');
    const off = farthestApart(rows, apart.rows);
    expect(off).toBeLessThan(1e-3);
    expect(off).toBeGreaterThan(0);
  });

  it('may have fewer threads a particle than a single step, but at least four for many particles', () => {
    const { resident } = engineOf(ctx).gpu;
    const lanes = (count: number, wished: number) => resident.lanesToMeet(count, wished);
    expect([lanes(10_000, 8), lanes(12_000, 8), lanes(20_000, 8), lanes(21_000, 8)]).toEqual([
      8, 4, 4, 8,
    ]);
  });

  it.each(runs([250], [700]))(
    'give the same bits, whether workgroups of the device can meet or not: %i particles',
    async (count) => {
      const domain = Domain.orthorhombic([8, 8, 8]);
      const { steps, said, repeats, apart } = await compare({ count, domain, steps: 50 });
      expect(steps).toBeGreaterThan(0);
      expect(said.includes('did not wait')).toBe(repeats > apart.repeats);
    },
  );
});
