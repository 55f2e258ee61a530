import { type CorpuscleError, Domain, type Grid } from '@corpuscle/core';
import type { PairFunctor } from '@corpuscle/functor';
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
import { bruteForcePairs } from './bruteForce.js';
import { gridOf } from './grids.js';
import { expectClose, sequence } from './oracle.js';
import * as functors from './pairFunctors.js';

// biome-ignore lint/suspicious/noExplicitAny: functors of all shapes share these bodies
type AnyPair = PairFunctor<any, any>;
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

const placed = new Map<string, readonly (readonly [number, number, number])[]>();

/** Places at least 0.85 apart (so that forces stay tame), in numbers exact in single precision; found once. */
function placesIn(domain: Domain, count: number, seed: number) {
  const key = JSON.stringify([domain.matrix, domain.origin, domain.periodic, count, seed]);
  const known = placed.get(key);
  if (known) return known;
  const next = sequence(seed);
  const positions: [number, number, number][] = [];
  for (let attempt = 0; positions.length < count && attempt < 20000; attempt++) {
    const place = domain
      .toCartesian(next(), next(), next())
      .map((x) => Math.round(x * 2 ** 16) / 2 ** 16) as [number, number, number];
    const free = positions.every((other) => {
      const d = domain.minimumImage(place[0] - other[0], place[1] - other[1], place[2] - other[2]);
      return Math.hypot(...d) > 0.85;
    });
    if (free) positions.push(place);
  }
  placed.set(key, positions);
  return positions;
}

function particles(ctx: ExecutionContext, domain: Domain, count: number, seed: number): Grid {
  const next = sequence(seed + 1000);
  const positions = placesIn(domain, count, seed);
  const grid = gridOf(
    ctx.heap,
    domain,
    positions,
    positions.map(() => Math.floor(2 * next())),
  );
  grid.addBlock({ name: 'cn', type: 'f64', width: 1, members: ['cn'] });
  grid.addBlock({ name: 'hard', type: 'u32', width: 1, members: ['hard'] });
  grid.addBlock({ name: 'far', type: 'f64', width: 1, members: ['far'] });
  grid.addBlock({ name: 'virial', type: 'f64', width: 4, members: ['vxx', 'vyy', 'vzz', null] });
  grid.addBlock({ name: 'shear', type: 'f64', width: 4, members: ['vxy', 'vxz', null, 'vyz'] });
  const fill = (name: string, value: () => number) => grid.setValues(name, positions.map(value));
  for (const name of ['vx', 'vy', 'vz', 'charge'])
    fill(name, () => Math.round(512 * next()) / 256 - 1);
  for (const name of ['fx', 'fy', 'fz', 'ep', 'cn', 'vxx'])
    fill(name, () => Math.round(64 * next()) / 64);
  fill('mass', () => 1 + Math.round(4 * next()) / 4);
  return grid;
}

/** What the outputs must be, by calling the user's function on every pair of a brute-force search. */
function oracle(grid: Grid, functor: AnyPair, params: object, rcut: number) {
  const { spec } = functor;
  if (spec.kind !== 'pair') throw new Error('not a pair functor');
  const names = [...Object.keys({ ...spec.central, ...spec.read, ...spec.neighbor })];
  const fields = new Map(names.map((name) => [name, grid.values(name)]));
  // A table of one number stands for every index; the direct call gets it written out.
  const written = Object.fromEntries(
    Object.entries(params).map(([name, value]) => [
      name,
      Array.isArray(value) && value.length === 1 ? new Array(16).fill(value[0]) : value,
    ]),
  );
  const outputs = Object.keys(spec.central);
  const sums = Object.fromEntries(outputs.map((name) => [name, 0]));
  const reader = (schema: object) => {
    const columns = Object.keys(schema).map((name) => [name, fields.get(name)!] as const);
    return (row: number) => {
      const particle: Record<string, number> = {};
      for (const [name, values] of columns) particle[name] = values[row]!;
      return particle;
    };
  };
  const readCentral = reader({ ...spec.central, ...spec.read });
  const readNeighbor = reader(spec.neighbor);
  for (const { i, j, d, r2 } of bruteForcePairs(grid, rcut)) {
    const central = readCentral(i);
    functor.invoke(central, readNeighbor(j), { x: d[0], y: d[1], z: d[2], r2 }, written);
    for (const name of outputs) {
      const field = fields.get(name)!;
      sums[name]! += central[name]! - field[i]!;
      field[i] = central[name]!;
    }
  }
  return { fields, sums };
}

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

    it.each(['buffered', 'bufferless'] as const)('gives the same in %s form', async (form) => {
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

    it('conserves momentum, and adds to what is there', async () => {
      const grid = particles(ctx, boxes['a skewed cell']!, 190, 3);
      for (const name of ['fx', 'fy', 'fz']) grid.setValues(name, new Float64Array(grid.count));
      await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
      const call = () =>
        computeCellParticlePairs(grid, lennardJones, ctx, { rcut: 2.5, params: oneType('none') });
      await call();
      await newestOnHost(grid, ctx);
      const once = grid.values('fx');
      await call();
      await newestOnHost(grid, ctx);
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
      const grid = particles(ctx, boxes['a cube']!, 160, 4);
      await updateNeighbors(grid, ctx, { rcut: 3, skin: 0.2 });
      await newestOnHost(grid, ctx);
      const { sums } = oracle(grid, functors.coordination, { r0: 1.5, near2: 100 }, 1.75);
      const totals = await computeCellParticlePairs(grid, functors.coordination, ctx, {
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
        const grid = gridOf(ctx.heap, Domain.orthorhombic([9, 9, 9]), positions);
        await updateNeighbors(grid, ctx, { rcut: 2.5, skin: 0.3 });
        const { ep } = await computeCellParticlePairs(grid, functors.morse, ctx, {
          rcut: 2.5,
          params: { depth: 1, width: 1, r0: 1 },
          outputs: { ep: 'total' },
        });
        const a = Math.exp(1 - Math.sqrt(1.25));
        expectClose([ep], [count < 2 ? 0 : a * a - 2 * a], Math.max(1e-14, backend.mathTolerance));
        grid.free();
      }
    });

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
