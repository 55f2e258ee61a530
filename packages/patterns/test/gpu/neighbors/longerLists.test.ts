import { Domain, type Grid } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { computeCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { fly } from '../../shared/functors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const RCUT = 1;
const SKIN = 0.3;
const HALF = (1.1 * SKIN) / 2; // lists reach up to a tenth of the skin farther
const STEPS = runs(130, 180);
/** The interval has been learned. */
const LEARNED = runs(80, 120);

/** Counts pairs within the cutoff; those less than a thousandth within it count in part, since positions are rounded. */
const within = pairFunctor({ name: 'within', central: { ep: 'real' } }, (i, _j, d) => {
  i.ep += Math.min(1, Math.max(0, 1000 * (1 - Math.sqrt(d.r2))));
});

type Vector = readonly [number, number, number];
interface System {
  readonly domain: Domain;
  readonly places: readonly Vector[];
  /** What each particle goes in a step. */
  readonly velocities: readonly Vector[];
}

const cube = (edge: number, periodic: readonly [boolean, boolean, boolean] = [true, true, true]) =>
  Domain.orthorhombic([edge, edge, edge], { periodic });

/** Particles anywhere, with velocities as given from a random direction and a random number. */
function system(
  domain: Domain,
  count: number,
  speed: (random: number, k: number) => number,
  seed = 5,
): System {
  const next = sequence(seed);
  const places = Array.from({ length: count }, () => domain.toCartesian(next(), next(), next()));
  const velocities = places.map((_, k): Vector => {
    const [x, y, z] = [next() - 0.5, next() - 0.5, next() - 0.5];
    const scale = speed(next(), k) / (Math.hypot(x, y, z) || 1);
    return [scale * x, scale * y, scale * z];
  });
  return { domain, places, velocities };
}

/** Pairs that fly at each other along x, again and again, among others that rest. */
function headOn(edge: number, pairs: number, resting: number, speed: number): System {
  const { domain, places, velocities } = system(cube(edge), resting, () => 0);
  const next = sequence(2);
  const movers = Array.from({ length: pairs }, (): [Vector, Vector] => {
    const [y, z] = [edge * next(), edge * next()];
    return [
      [edge * next(), y, z],
      [edge * next(), y, z],
    ];
  });
  return {
    domain,
    places: [...movers.flat(), ...places],
    velocities: [
      ...movers.flatMap((): Vector[] => [
        [speed, 0, 0],
        [-speed, 0, 0],
      ]),
      ...velocities,
    ],
  };
}

function gridFor(ctx: ExecutionContext, { domain, places, velocities }: System): Grid {
  const grid = gridOf(ctx.heap, domain, places);
  ['vx', 'vy', 'vz'].forEach((name, k) => {
    grid.setValues(
      name,
      velocities.map((v) => v[k]!),
    );
  });
  return grid;
}

/** Pairs within the cutoff in every step, how far any particle was since the build, and how often lists were built later on. */
async function run(ctx: ExecutionContext, test: System, ahead: boolean) {
  const grid = gridFor(ctx, test);
  const totals = [];
  const updates = [];
  for (let step = 0; step < STEPS; step++) {
    computeCellParticles(grid, fly, ctx, {});
    updates.push(updateNeighbors(grid, ctx, { rcut: RCUT, skin: SKIN, ahead }));
    const outputs = { ep: 'total' } as const;
    totals.push(computeCellParticlePairs(grid, within, ctx, { rcut: RCUT, params: {}, outputs }));
  }
  const pairs = (await Promise.all(totals.map(async (total) => total))).map(({ ep }) => ep! / 2);
  let farthest = 0;
  let rebuilds = 0;
  for (const [step, update] of updates.entries()) {
    const { rebuilt, maxDisplacement, reason } = await update;
    if (rebuilt && step >= LEARNED) rebuilds++;
    if (!rebuilt) farthest = Math.max(farthest, maxDisplacement);
    if (!rebuilt && ahead)
      expect(reason).toMatch(maxDisplacement > HALF ? /no pair that is not listed/ : /./);
  }
  grid.free();
  return { pairs, farthest, rebuilds };
}

describeGpu('lists that serve beyond half the skin', () => {
  let ctx: ExecutionContext;
  let double: ExecutionContext;
  let cpu: ExecutionContext;
  beforeAll(async () => {
    ctx = await gpuContext();
    double = await gpuContext(undefined, 'f64');
    cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
  });
  afterAll(() => Promise.all([ctx.close(), double.close(), cpu.close()]));

  /** Compares every step with the CPU, whose lists serve until half the skin. */
  async function compare(test: System, on = ctx) {
    const before = engineOf(on).speculation.repeats;
    const ours = await run(on, test, true);
    const repeats = engineOf(on).speculation.repeats - before;
    const exact = await run(cpu, test, false);
    ours.pairs.forEach((pairs, step) => {
      expect(Math.abs(pairs - exact.pairs[step]!), `step ${step}`).toBeLessThan(0.1);
    });
    return { ...ours, repeats, exact };
  }

  it('where the fast particles are few and far apart', async () => {
    const test = system(cube(9), 380, (_, k) => (k < 3 ? 0.021 : 0));
    const { farthest, rebuilds, exact } = await compare(test);
    expect(farthest).toBeGreaterThan(1.2 * HALF);
    expect(farthest).toBeLessThan(1.1 * SKIN);
    expect(rebuilds).toBeLessThan(exact.rebuilds);
  });

  it('not where fast particles meet', { timeout: 60_000 }, async () => {
    const { repeats } = await compare(headOn(9, 12, 630, 0.023));
    expect(repeats).toBeGreaterThan(0);
  });

  it('not where too many are fast', async () => {
    const { farthest } = await compare(system(cube(9), 630, () => 0.025));
    expect(farthest).toBeLessThanOrEqual(HALF);
  });

  describe.each(runs<readonly ('f32' | 'f64')[]>(['f32'], ['f32', 'f64']))('in %s', (precision) => {
    const shapes: [string, Domain, boolean][] = [
      ['a cube', cube(10), true],
      ['a skewed box', Domain.triclinic([9, 0, 0, 2.5, 10, 0, -2, 3, 11]), true],
      ['a box of two cells', cube(2.7), false],
      ['a box of three cells', cube(4), false],
      ['an open box', cube(9, [true, false, true]), false],
    ];
    // Hundreds of steps are slow on a software adapter: a cube is a case of skewed boxes, and which boxes serve is the same in all precisions.
    const asked = { f32: runs(/skewed/, /(?<!skewed) box|cube/), f64: /skewed|two/ }[precision];
    const some = shapes.filter(([name]) => asked.test(name));
    it.each(some)('with thermal motion in %s', { timeout: 60_000 }, async (_, domain, serves) => {
      const thermal = (random: number) => 0.008 * Math.sqrt(-2 * Math.log(1 - random));
      const count = Math.min(900, Math.round(1.1 * domain.volume));
      const { farthest } = await compare(
        system(domain, count, thermal),
        precision === 'f64' ? double : ctx,
      );
      if (serves) expect(farthest).toBeGreaterThan(HALF);
      else expect(farthest).toBeLessThanOrEqual(HALF);
    });
  });
});
