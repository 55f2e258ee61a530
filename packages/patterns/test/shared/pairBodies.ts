import { type CorpuscleError, Domain } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  lennardJones,
  lennardJonesParameters,
} from '../../../operators/src/potentials/lennard_jones/lennardJones.js';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import type { OutputTarget } from '../../src/plan/calls.js';
import type { Backend } from './Backend.js';
import { gridOf } from './grids.js';
import { expectClose } from './oracle.js';
import * as functors from './pairFunctors.js';
import { type AnyPair, oracle, particles } from './pairSystems.js';

type Outputs = Readonly<Record<string, OutputTarget>>;

const skewed = [9, 0, 0, 3.5, 8, 0, -2.5, 3, 7.5];
const boxes: Record<string, Domain> = {
  'a cube': Domain.orthorhombic([8, 8, 8]),
  'a flat box with one open axis': Domain.orthorhombic([6, 12, 7], {
    periodic: [true, false, true],
  }),
  'a skewed cell': Domain.triclinic(skewed, { origin: [-4, 2, 1] }),
  'open space': Domain.open({ lower: [0, 0, 0], upper: [7, 7, 7] }),
};

const twoTypes = lennardJonesParameters(
  { epsilon: [1, 1.5, 1.5, 0.5], sigma: [1, 0.8, 0.8, 0.88], rcut: [2.5, 2, 2, 2.2] },
  'energy',
);
const oneType = (shift: 'none' | 'energy' | 'force') =>
  lennardJonesParameters({ epsilon: [1.25], sigma: [1.1], rcut: [2.5] }, shift);

const cases: {
  name: string;
  functor: AnyPair;
  params: object;
  outputs?: Outputs;
  math?: boolean;
}[] = [
  { name: 'Lennard-Jones', functor: lennardJones, params: oneType('none') },
  { name: 'Lennard-Jones, force shift', functor: lennardJones, params: oneType('force') },
  { name: 'Lennard-Jones of two types', functor: lennardJones, params: twoTypes },
  {
    name: 'Morse',
    functor: functors.morse,
    params: { depth: 1.5, width: 1.2, r0: 1.3 },
    math: true,
  },
  {
    name: 'screened charges',
    functor: functors.screened,
    params: { types: 2, kappa: [0.5, 0.7, 0.7, 1.1], order: [2, 1, 1, 3] },
    math: true,
  },
  { name: 'friction', functor: functors.friction, params: { gamma: 0.75 } },
  { name: 'friction across, with virials', functor: functors.dashpot, params: { gamma: 0.75 } },
  { name: 'coordination', functor: functors.coordination, params: { r0: 1.5, near2: 2.25 } },
  { name: 'the farthest neighbor', functor: functors.farthest, params: {} },
];

/** What the pair pattern must do on every backend. */
export function describePairs(backend: Backend): void {
  describe(`pairs on ${backend.name}`, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx.close());

    let combination = 0;
    for (const [where, domain] of Object.entries(boxes)) {
      for (const { name, functor, params, math } of cases) {
        if (combination++ % (backend.every ?? 1) !== 0) continue;
        it(`gives ${name} in ${where} what brute force gives`, async () => {
          const grid = particles(ctx, domain, 150, name.length);
          const rcut = 2.5;
          await updateNeighbors(grid, ctx, { rcut, skin: 0.4 });
          await newestOnHost(grid, ctx);
          const { fields } = oracle(grid, functor, params, rcut);
          const form = where === 'a cube' ? 'buffered' : 'auto';
          await computeCellParticlePairs(grid, functor, ctx, {
            rcut,
            params: params as never,
            form,
          });
          await newestOnHost(grid, ctx);
          const tolerance = Math.max(1e-13, math ? backend.mathTolerance : backend.tolerance);
          for (const field of Object.keys(functor.outputs)) {
            expectClose(grid.values(field), fields.get(field)!, tolerance);
          }
          grid.free();
        });
      }
    }

    const forms = backend.isBrief ? [] : (['buffered', 'bufferless'] as const);
    it.each(forms)('gives the same in %s form', async (form) => {
      const grid = particles(ctx, boxes['a skewed cell']!, 170, 5);
      await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
      await newestOnHost(grid, ctx);
      const { fields } = oracle(grid, lennardJones, oneType('force'), 2.5);
      await computeCellParticlePairs(grid, lennardJones, ctx, {
        rcut: 2.5,
        params: oneType('force'),
        form,
      });
      await newestOnHost(grid, ctx);
      for (const field of ['fx', 'fy', 'fz', 'ep', 'vxx', 'vyz']) {
        expectClose(grid.values(field), fields.get(field)!, Math.max(1e-13, backend.tolerance));
      }
      grid.free();
    });

    it('sends outputs where they are asked for, and only there', async () => {
      const grid = particles(ctx, boxes['a cube']!, 180, 9);
      await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
      await newestOnHost(grid, ctx);
      const { fields, sums } = oracle(grid, lennardJones, oneType('none'), 2.5);
      const before = { vyy: grid.values('vyy'), ep: grid.values('ep') };
      const totals = await computeCellParticlePairs(grid, lennardJones, ctx, {
        rcut: 2.5,
        params: oneType('none'),
        outputs: { ep: 'total', vxx: 'both', vyy: 'none', vxy: 'total', vxz: 'none' },
      });
      await newestOnHost(grid, ctx);
      expect(Object.keys(totals).sort()).toEqual(['ep', 'vxx', 'vxy']);
      const tolerance = Math.max(1e-12, 20 * backend.tolerance);
      expectClose([totals.ep, totals.vxx, totals.vxy], [sums.ep!, sums.vxx!, sums.vxy!], tolerance);
      for (const field of ['fx', 'fy', 'fz', 'vxx', 'vzz', 'vyz']) {
        expectClose(grid.values(field), fields.get(field)!, tolerance);
      }
      expect(grid.values('vyy')).toEqual(before.vyy);
      expect(grid.values('ep')).toEqual(before.ep);
      grid.free();
    });

    if (!backend.isBrief) describeSums(backend, () => ctx);

    it('asks for lists where there are none', async () => {
      const grid = particles(ctx, boxes['a cube']!, 20, 4);
      const call = async () =>
        computeCellParticlePairs(grid, functors.friction, ctx, { rcut: 2, params: { gamma: 1 } });
      await expect(call()).rejects.toSatisfy((e: CorpuscleError) => e.code === 'NO_NEIGHBOR_LISTS');
      await updateNeighbors(grid, ctx, { rcut: 1.5, skin: 0.3 });
      await expect(call()).rejects.toSatisfy((e: CorpuscleError) => e.code === 'NO_NEIGHBOR_LISTS');
      await updateNeighbors(grid, ctx, { rcut: 2, skin: 0.3 });
      await call();
      const { matrix } = grid.domain;
      grid.domain = Domain.triclinic(matrix.map((edge) => 1.001 * edge));
      await expect(call()).rejects.toSatisfy((e: CorpuscleError) =>
        /box changed since/.test(e.message),
      );
      grid.free();
    });
  });
}

/** Sums of calls that follow each other, of smaller cutoffs, and of hardly any particles. */
function describeSums(backend: Backend, ctx: () => ExecutionContext): void {
  it('conserves momentum, and adds to what is there', async () => {
    const grid = particles(ctx(), boxes['a skewed cell']!, 190, 3);
    for (const name of ['fx', 'fy', 'fz']) grid.setValues(name, new Float64Array(grid.count));
    await updateNeighbors(grid, ctx(), { rcut: 2.5, skin: 0.3 });
    const call = () =>
      computeCellParticlePairs(grid, lennardJones, ctx(), { rcut: 2.5, params: oneType('none') });
    await call();
    await newestOnHost(grid, ctx());
    const once = grid.values('fx');
    await call();
    await newestOnHost(grid, ctx());
    const largest = Math.max(...once.map(Math.abs));
    expectClose(
      grid.values('fx'),
      once.map((f) => 2 * f),
      Math.max(1e-13, backend.tolerance),
    );
    for (const name of ['fx', 'fy', 'fz']) {
      const sum = grid.values(name).reduce((a, b) => a + b, 0);
      expect(Math.abs(sum)).toBeLessThan(200 * largest * Math.max(1e-15, backend.tolerance));
    }
    grid.free();
  });

  it('serves a smaller cutoff than the lists were built for', async () => {
    const grid = particles(ctx(), boxes['a cube']!, 160, 4);
    await updateNeighbors(grid, ctx(), { rcut: 3, skin: 0.2 });
    await newestOnHost(grid, ctx());
    const { sums } = oracle(grid, functors.coordination, { r0: 1.5, near2: 100 }, 1.75);
    const totals = await computeCellParticlePairs(grid, functors.coordination, ctx(), {
      rcut: 1.75,
      params: { r0: 1.5, near2: 100 },
      outputs: { cn: 'total', hard: 'total' },
    });
    expect(totals.hard).toBe(sums.hard);
    expectClose([totals.cn], [sums.cn!], Math.max(1e-13, backend.tolerance));
    grid.free();
  });

  it('handles no, one and two particles', async () => {
    for (const count of [0, 1, 2]) {
      const positions = [
        [0, 0, 0],
        [1, 0.5, 0],
      ].slice(0, count) as [number, number, number][];
      const grid = gridOf(ctx().heap, Domain.orthorhombic([9, 9, 9]), positions);
      await updateNeighbors(grid, ctx(), { rcut: 2.5, skin: 0.3 });
      const { ep } = await computeCellParticlePairs(grid, functors.morse, ctx(), {
        rcut: 2.5,
        params: { depth: 1, width: 1, r0: 1 },
        outputs: { ep: 'total' },
      });
      const a = Math.exp(1 - Math.sqrt(1.25));
      expectClose([ep], [count < 2 ? 0 : a * a - 2 * a], Math.max(1e-14, backend.mathTolerance));
      grid.free();
    }
  });
}
