import { Domain, type Grid } from '@corpuscle/core';
import { cellFunctor, pairFunctor, valueFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { isLong, itLong, itOnce, runs } from '../../../../../test/support/runs.js';
import { boxStrain } from '../../../src/box/boxStrain.js';
import { strainedBox } from '../../../src/box/strainedBox.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { prepareCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { prepareCellParticles } from '../../../src/pattern/computeCellParticles.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { prepareStep } from '../../../src/pattern/prepareStep.js';
import { prepareNeighborLists, updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { prepareValues } from '../../../src/value/prepareValues.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { clear, push, repel } from '../../shared/step.js';
import { describeGpu, engineOf, gpuContext } from '../../support/gpu.js';

const EDGE = 9;
const DT = 0.01;

const drift = cellFunctor(
  {
    name: 'drift',
    fields: { rx: 'real', ry: 'real', rz: 'real' },
    read: { vx: 'real', vy: 'real', vz: 'real' },
    params: { dt: 'real' },
  },
  (i, p) => {
    i.rx += p.dt * i.vx;
    i.ry += p.dt * i.vy;
    i.rz += p.dt * i.vz;
  },
);

/** Keeps where a particle is. */
const note = cellFunctor(
  { name: 'note', fields: { ep: 'real' }, read: { rx: 'real', ry: 'real' } },
  (i) => {
    i.ep = i.rx + i.ry;
  },
);

/** Nothing where the nearest of two images would change. */
const repelFar = pairFunctor(
  {
    name: 'repel_far',
    central: { fx: 'real', fy: 'real', fz: 'real' },
    params: { strength: 'real' },
  },
  (i, _j, d, p) => {
    const u = p.strength * Math.max(0, 14 - d.r2);
    i.fx += u * d.x;
    i.fy += u * d.y;
    i.fz += u * d.z;
  },
);

/** Deforms a box by the same small strain again: (1 + E) (1 + D) − 1, about the origin. */
const deform = valueFunctor(
  {
    name: 'deform',
    values: { xx: 'real', yy: 'real', zz: 'real', yx: 'real', zy: 'real', x: 'real' },
    params: { x: 'real', z: 'real', shear: 'real', shift: 'real' },
  },
  (v, p) => {
    v.yx += v.yx * p.x + p.shear + v.yy * p.shear;
    v.xx += p.x + v.xx * p.x;
    v.zy += v.zy * 0;
    v.zz += p.z + v.zz * p.z;
    v.x += v.x * p.x + p.shift;
  },
);

interface Rates {
  readonly x: number;
  readonly z: number;
  readonly shear: number;
  readonly shift: number;
}

function start(ctx: ExecutionContext, count: number): Grid {
  const next = sequence(5);
  const places = Array.from(
    { length: count },
    () => [EDGE * next(), EDGE * next(), EDGE * next()] as const,
  );
  const box = Domain.triclinic([EDGE, 0, 0, 0.7, EDGE, 0, 0, 0, EDGE]);
  const grid = gridOf(ctx.heap, box, places);
  for (const name of ['vx', 'vy', 'vz'])
    grid.setValues(
      name,
      places.map(() => next() - 0.5),
    );
  return grid;
}

/** The strain of one step. */
const strainOf = ({ x, z, shear, shift }: Rates) => [x, 0, z, shear, 0, 0, shift, 0, 0];

/**
 * Steps in a box that values deform, or that the host prescribes.
 * @returns what is left of the particles, and the box.
 */
async function deforming(
  ctx: ExecutionContext,
  rates: Rates,
  steps: number,
  {
    isPrescribed = false,
    form = 'sheared',
    allPairs = false,
  }: { isPrescribed?: boolean; form?: 'sheared' | 'stretched'; allPairs?: boolean } = {},
) {
  const grid = start(ctx, allPairs ? runs(150, 300) : 300);
  await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3 });
  const strain = boxStrain(grid, ctx, 'engine', form);
  const { value } = strain;
  const values = Object.fromEntries(
    ['xx', 'yy', 'zz', 'yx', 'zy', 'x'].map((name) => [name, value.of(name)]),
  ) as never;
  let box = grid.domain;
  const boxNow = () => {
    box = strainedBox(box, strainOf(rates));
    return box;
  };
  const calls = [
    ...(isPrescribed
      ? [strain.prescribe!(boxNow)]
      : [prepareValues(deform, ctx, { values, params: { ...rates } }), strain.follow]),
    prepareCellParticles(grid, drift, ctx, { params: { dt: DT } }),
    prepareNeighborLists(grid, ctx, { rcut: 1.5, skin: 0.3, ahead: true }),
    prepareCellParticles(grid, clear, ctx, {}),
    prepareCellParticlePairs(grid, repel, ctx, { rcut: 1.5, params: { strength: 1 } }),
    ...(allPairs
      ? [
          prepareCellParticlePairs(grid, repelFar, ctx, {
            rcut: 4.4,
            allPairs,
            params: { strength: 0.01 },
          }),
        ]
      : []),
    prepareCellParticles(grid, push, ctx, { params: { dt: DT } }),
    prepareCellParticles(grid, note, ctx, {}),
  ];
  const step = prepareStep(ctx, calls);
  const before = ctx.device?.counters.downloads ?? 0;
  await step.run(steps);
  const reads = (ctx.device?.counters.downloads ?? 0) - before;
  await newestOnHost(grid, ctx);
  const inOrder = (name: string) => {
    const numbers = grid.values(name);
    return Array.from(grid.rowsById(), (row) => numbers[row]!);
  };
  const { matrix, origin } = grid.domain;
  const left = { v: inOrder('vx'), y: inOrder('vy'), noted: inOrder('ep'), matrix, origin, reads };
  const places = ['rx', 'ry', 'rz'].map(inOrder);
  const inside = left.v.map((_, k) =>
    grid.domain.wrap(places[0]![k]!, places[1]![k]!, places[2]![k]!),
  );
  grid.free();
  return { ...left, places, inside, domain: grid.domain };
}

/** What positions, velocities and boxes may be off by: pairs in f32 set it where they are, otherwise the state. */
const bounds = {
  f32: { box: 1e-5, state: 2e-4, note: 1e-5 },
  mixed: { box: 1e-12, state: 2e-5, note: 1e-12 },
  f64: { box: 1e-12, state: 1e-11, note: 1e-12 },
} as const;

for (const precision of ['f32', 'mixed', 'f64'] as const)
  describeGpu(`a box that values of the device deform, in ${precision}`, () => {
    const bound = bounds[precision];
    let ctx: ExecutionContext;
    let cpu: ExecutionContext;
    beforeAll(async () => {
      ctx = await gpuContext(undefined, precision);
      cpu = await createExecutionContext({ backend: 'cpu', threads: 1 });
    });
    afterAll(async () => {
      await ctx.close();
      await cpu.close();
    });

    const cases = [
      {
        name: 'slowly',
        rates: { x: 2e-5, z: -3e-5, shear: 1e-4, shift: 1e-4 },
        steps: runs(50, 80),
      },
      { name: 'beyond the allowance', rates: { x: -4e-4, z: 1e-4, shear: 0, shift: 0 }, steps: 80 },
      {
        name: 'fast',
        rates: { x: -0.003, z: -0.003, shear: 0.002, shift: 0 },
        steps: runs(25, 40),
      },
      {
        name: 'so fast that no list serves a window',
        rates: { x: -0.02, z: 0.015, shear: 0.02, shift: 0 },
        steps: 24,
      },
    ];
    const all = [
      ...cases.map((one) => ({ ...one, isPrescribed: false, form: 'sheared' as const })),
      ...cases.slice(1, 2).map((one) => ({
        ...{ ...one, name: `${one.name}, without shears` },
        ...{ isPrescribed: false, form: 'stretched' as const },
      })),
      ...cases.slice(1, 3).map((one) => ({
        ...one,
        name: `${one.name}, by the host`,
        isPrescribed: true,
        form: 'sheared' as const,
      })),
    ];
    const short = { f32: /^(slowly|fast|.* by the host)$/, mixed: /^fast$/, f64: /shears/ }[
      precision
    ];
    it.each(all.filter(({ name }) => short.test(name) !== isLong))(
      '$name: the same as on the CPU',
      async ({ rates, steps, isPrescribed, form }) => {
        const before = engineOf(ctx).speculation.fusedSteps;
        const ours = await deforming(ctx, rates, steps, { isPrescribed, form });
        const exact = await deforming(cpu, rates, steps);

        const largest = (a: readonly number[], b: readonly number[]) =>
          Math.max(...a.map((x, k) => Math.abs(x - b[k]!)));
        expect(largest(ours.matrix, exact.matrix)).toBeLessThan(bound.box);
        expect(largest(ours.origin, exact.origin)).toBeLessThan(bound.box);
        expect(largest(ours.v, exact.v)).toBeLessThan(bound.state);
        expect(largest(ours.y, exact.y)).toBeLessThan(bound.state);
        ours.noted.forEach((sum, k) => {
          expect(Math.abs(sum - ours.places[0]![k]! - ours.places[1]![k]!)).toBeLessThan(
            bound.note,
          );
        });
        ours.inside.forEach(([x, y, z], k) => {
          const [X, Y, Z] = exact.inside[k]!;
          const d = exact.domain.minimumImage(x - X, y - Y, z - Z);
          expect(Math.hypot(...d)).toBeLessThan(bound.state);
        });
        expect(engineOf(ctx).speculation.fusedSteps).toBeGreaterThan(before);
      },
    );

    const growing = { name: 'growing', rates: { x: 0.012, z: 0.01, shear: 0, shift: 0 } };
    const far = [cases[0]!, cases[2]!, growing];
    // A software adapter takes a second for such a step in double-single.
    const most = runs(8, precision === 'f32' ? 16 : 8);
    it.each(
      runs(
        precision === 'f32' ? far.slice(1, 2) : [],
        { f32: [cases[0]!, growing], mixed: [], f64: far.slice(0, 1) }[precision],
      ),
    )('all pairs, $name: the same as on the CPU', async ({ name, rates }) => {
      const ours = await deforming(ctx, rates, most, { allPairs: true });
      const exact = await deforming(cpu, rates, most, { allPairs: true });
      const largest = Math.max(...ours.v.map((v, k) => Math.abs(v - exact.v[k]!)));
      expect(largest).toBeLessThan(bound.state);
      if (name !== 'slowly') return; // windows are made again there
      const { reads } = await deforming(ctx, rates, 2 * most, { allPairs: true });
      expect(reads - ours.reads).toBeLessThan(6);
    });

    // Windows do not depend on the precision.
    const itWindows = precision === 'f32' ? itOnce : itLong;
    itWindows(
      'a box that the host prescribes ends windows before lists are used up: nothing is made again',
      async () => {
        const before = engineOf(ctx).speculation.repeats;
        await deforming(ctx, { x: -2e-4, z: 1e-4, shear: 2e-4, shift: 0 }, 120, {
          isPrescribed: true,
        });
        const after = engineOf(ctx).speculation.repeats;
        expect(after - before).toBeLessThan(3); // lists used too long, while their interval is learned
      },
    );
  });
