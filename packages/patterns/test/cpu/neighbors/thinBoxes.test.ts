import { Domain, type Grid, imageIndex, imageOffsets } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { runs } from '../../../../../test/support/runs.js';
import {
  lennardJones,
  lennardJonesParameters,
} from '../../../../operators/src/potentials/lennard_jones/lennardJones.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import type { ExecutionContextOptions } from '../../../src/context/ExecutionContextOptions.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { pairWeights } from '../../../src/plan/adapt/pairWeights.js';
import type { Precision } from '../../../src/plan/chooseBackend.js';
import { fccPositions, gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';
import { readDeviceLists } from '../../support/deviceLists.js';
import { describeGpu, engineOf } from '../../support/gpu.js';

type Place = [number, number, number];

const a = 1.6;
const fcc = fccPositions(1, 4 / a ** 3).positions;
const random = (domain: Domain, count: number, seed: number): Place[] => {
  const next = sequence(seed);
  return Array.from({ length: count }, () =>
    domain.toCartesian(...([next(), next(), next()].map((s) => 1.4 * s - 0.2) as Place)),
  );
};
const skewed = Domain.triclinic([1.9, 0, 0, 1.1, 1.7, 0, -0.7, 0.8, 2.1], { origin: [-1, 2, 3] });
const slab = Domain.orthorhombic([1.4, 9, 3], { periodic: [true, true, false] });

/** Boxes thinner than two cutoffs, and what is in them. */
const systems: [string, Domain, Place[], number][] = [
  ['a crystal cell of four', Domain.orthorhombic([a, a, a]), fcc, 2.5],
  [
    'a cell of one',
    Domain.triclinic([0, 0.8, 0.8, 0.8, 0, 0.8, 0.8, 0.8, 0]),
    [[0.3, 0.1, 0.2]],
    2.5,
  ],
  ['a skewed cell', skewed, random(skewed, 5, 7), 2.5],
  ['a long slab', slab, random(slab, 40, 3), 1.6],
  [
    'a cube just below two cutoffs',
    Domain.orthorhombic([4.9, 4.9, 4.9]),
    random(Domain.orthorhombic([4.9, 4.9, 4.9]), 60, 5),
    2.5,
  ],
  [
    'a cube of one cutoff',
    Domain.orthorhombic([2.5, 2.5, 2.5]),
    random(Domain.orthorhombic([2.5, 2.5, 2.5]), 9, 6),
    2.5,
  ],
];

const close = pairFunctor(
  { name: 'close', central: { close: 'real' }, traits: { newton3: true } },
  (i) => {
    i.close += 1;
  },
);

/** Every pair within rcut from both sides, over all images that may hold one; positions as they are. */
function* allPairs({ domain, count }: Grid, p: ArrayLike<number>, rcut: number) {
  // Particles may be a box away from each other before images are counted.
  const [ra, rb, rc] = domain.imageReach(rcut).map((n) => (n === 0 ? 0 : n + 1));
  for (let c = -rc!; c <= rc!; c++)
    for (let b = -rb!; b <= rb!; b++)
      for (let k = -ra!; k <= ra!; k++) {
        const image = imageIndex(k, b, c);
        const shift = domain.image(image);
        for (let i = 0; i < count; i++)
          for (let j = 0; j < count; j++) {
            if (i === j && image === 13) continue;
            const d = shift.map((s, axis) => p[4 * i + axis]! + s - p[4 * j + axis]!) as Place;
            const r2 = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
            if (r2 < rcut * rcut) yield { i, j, image, d, r2 };
          }
      }
}

const nameOf = ({ i, j, image }: { i: number; j: number; image: number }) => `${i} ${j} ${image}`;

const positionsOf = (grid: Grid) => grid.block('position').array as Float64Array;
const params = lennardJonesParameters({ epsilon: [1], sigma: [0.7], rcut: [9] }, 'none');

/** Forces, energies and virials of all pairs by brute force against the kernels. */
async function expectForces(ctx: ExecutionContext, grid: Grid, rcut: number, tolerance: number) {
  grid.addBlock({ name: 'virial', type: 'f64', width: 4, members: ['vxx', 'vyy', 'vzz', null] });
  grid.addBlock({ name: 'shear', type: 'f64', width: 4, members: ['vxy', 'vxz', 'vyz', null] });
  const fields = ['fx', 'fy', 'fz', 'ep', 'vxx', 'vxy', 'vzz'];
  const { ep } = await computeCellParticlePairs(grid, lennardJones, ctx, {
    rcut,
    params,
    outputs: { ep: 'both' },
  });
  await newestOnHost(grid, ctx, ['rx', ...fields]);
  const p = positionsOf(grid);
  const sums = Object.fromEntries(fields.map((field) => [field, new Float64Array(grid.count)]));
  let scale = 1;
  for (const { i, d, r2 } of allPairs(grid, p, rcut)) {
    const s6 = (0.49 / r2) ** 3;
    const f = (24 * s6 * (2 * s6 - 1)) / r2;
    scale = Math.max(scale, Math.abs(f) * Math.sqrt(r2));
    sums.fx![i]! += f * d[0];
    sums.fy![i]! += f * d[1];
    sums.fz![i]! += f * d[2];
    sums.ep![i]! += 2 * s6 * (s6 - 1);
    sums.vxx![i]! += 0.5 * f * d[0] * d[0];
    sums.vxy![i]! += 0.5 * f * d[0] * d[1];
    sums.vzz![i]! += 0.5 * f * d[2] * d[2];
  }
  for (const field of fields)
    grid.values(field).forEach((value, row) => {
      expect(
        Math.abs(Number(value) - sums[field]![row]!) / scale,
        `${field} of ${row}`,
      ).toBeLessThan(tolerance);
    });
  expect(Math.abs(ep - sums.ep!.reduce((x, y) => x + y, 0)) / scale).toBeLessThan(
    tolerance * grid.count,
  );
}

const host = (options: Omit<ExecutionContextOptions, 'backend'>) => () =>
  createExecutionContext({ backend: 'cpu', threads: 1, ...options });
const device = (precision: Precision) => () =>
  createExecutionContext({ backend: 'webgpu', precision });

/** How contexts are opened, their tolerance, and how many of the systems run there: kernels for devices compile slowly. */
const contexts: [string, () => Promise<ExecutionContext>, number, number][] = [
  ['cpu, f64', host({ precision: 'f64' }), 1e-13, 6],
  ['cpu, f64, 2 threads', host({ precision: 'f64', threads: 2 }), 1e-13, 6],
  ['cpu, mixed', host({ precision: 'mixed' }), 3e-6, 6],
  ['cpu, f32', host({ precision: 'f32' }), 3e-6, 6],
  ['cpu, scalar', host({ lowering: 'scalar' }), 1e-13, 6],
  ['cpu, javascript', host({ lowering: 'javascript' }), 1e-13, 6],
  ['webgpu, f32', device('f32'), 1e-5, runs(2, 4)],
  ['webgpu, mixed', device('mixed'), 3e-6, runs(0, 1)],
  ['webgpu, f64', device('f64'), 1e-11, 1],
];

for (const [name, open, tolerance, few] of contexts.filter(([, , , few]) => few > 0))
  (name.startsWith('webgpu') ? describeGpu : describe)(
    `boxes thinner than the cutoff: ${name}`,
    () => {
      let ctx: ExecutionContext | null = null;
      const grids: Grid[] = [];
      const opened = async () => (ctx ??= await open());
      afterEach(() => {
        for (const grid of grids.splice(0)) grid.free();
      });
      afterAll(() => ctx?.close());

      it.each(systems.slice(0, few))(
        '%s has the pairs and forces of all images',
        async (_, domain, places, rcut) => {
          const context = await opened();
          const grid = gridOf(context.heap, domain, places);
          grids.push(grid);
          await updateNeighbors(grid, context, { rcut, skin: 0.3 });
          await newestOnHost(grid, context, ['rx']);
          const exact = [...allPairs(grid, positionsOf(grid), rcut)].map(nameOf).sort();
          const p = positionsOf(grid);
          const isNear = ({ i, j, image }: { i: number; j: number; image: number }) => {
            const shift = domain.image(image);
            const d = shift.map((s, axis) => p[4 * i + axis]! + s - p[4 * j + axis]!);
            return d[0]! ** 2 + d[1]! ** 2 + d[2]! ** 2 < rcut * rcut;
          };
          if (context.backend === 'webgpu') {
            const listed = await readDeviceLists(engineOf(context), grid);
            expect(listed.filter(isNear).map(nameOf).sort()).toEqual(exact);
          } else
            for (const kind of ['full', 'half'] as const) {
              const listed: { i: number; j: number; image: number }[] = [];
              context.engines.host
                .neighborList(grid, kind, rcut)
                .forEachPair((i, j, image) => listed.push({ i, j, image }));
              const both = listed.flatMap((pair) => {
                if (kind === 'full') return [pair];
                const [x, y, z] = imageOffsets(pair.image).map((k) => -k) as Place;
                return [pair, { i: pair.j, j: pair.i, image: imageIndex(x + 0, y + 0, z + 0) }];
              });
              expect(both.filter(isNear).map(nameOf).sort()).toEqual(exact);
            }
          await expectForces(context, grid, rcut, tolerance);
        },
      );
    },
  );

describe('boxes thinner than the cutoff', () => {
  it('are refused if the cutoff spans more than 15 of them', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const grid = gridOf(ctx.heap, Domain.orthorhombic([1, 1, 9]), [[0, 0, 0]]);
    await updateNeighbors(grid, ctx, { rcut: 15, skin: 15 });
    await expect(async () => updateNeighbors(grid, ctx, { rcut: 15.1 })).rejects.toMatchObject({
      code: 'BOX_TOO_THIN',
      message:
        'rcut 15.1 is more than 15 times the box, which is 1 along x: repeat the box or lower rcut',
    });
    grid.free();
  });

  it('refuse weights of pairs by id, now and when the box gets thin later', async () => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const weights = pairWeights([{ ids: [0, 1], weight: 0 }]);
    const wide = Domain.orthorhombic([5, 5, 5]);
    const grid = gridOf(ctx.heap, wide, fcc);
    const call = (rcut: number) =>
      computeCellParticlePairs(grid, close, ctx, { rcut, weights, outputs: { close: 'total' } });
    await updateNeighbors(grid, ctx, { rcut: 3 });
    expect(() => call(2.6)).toThrow(/may have one image within reach only: rcut 2.6/);
    grid.free();
    const shrinking = gridOf(ctx.heap, wide, fcc);
    await updateNeighbors(shrinking, ctx, { rcut: 2.5 });
    await computeCellParticlePairs(shrinking, close, ctx, {
      rcut: 2.5,
      weights,
      outputs: { close: 'total' },
    });
    shrinking.domain = Domain.orthorhombic([4.9, 4.9, 4.9]);
    await expect(async () => updateNeighbors(shrinking, ctx, { rcut: 2.5 })).rejects.toMatchObject({
      code: 'BOX_TOO_THIN',
    });
    shrinking.free();
  });
});
