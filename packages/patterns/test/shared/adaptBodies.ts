import { Domain, type Grid } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import type { NeighbourhoodFunctor, PairFunctor } from '../../src/functor/Functor.js';
import { neighbourhoodFunctor } from '../../src/functor/neighbourhoodFunctor.js';
import { pairFunctor } from '../../src/functor/pairFunctor.js';
import type { PairAdaptations } from '../../src/pattern/adapt/adaptPairs.js';
import { type PairWeight, pairWeights } from '../../src/pattern/adapt/pairWeights.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbours } from '../../src/pattern/updateNeighbours.js';
import type { Backend } from './Backend.js';
import { bruteForcePairs } from './bruteForce.js';
import { gridOf } from './grids.js';
import { sequence } from './oracle.js';

const RCUT = 2;

/** A pair force that feels the charges, so that nothing cancels. */
const spring = pairFunctor(
  {
    name: 'spring',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    read: { charge: 'real' },
    neighbour: { charge: 'real' },
    params: { k: 'real' },
    traits: { newton3: true },
  },
  (i, j, d, p) => {
    const f = p.k * i.charge * j.charge * (4 - d.r2);
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
    i.ep += 0.5 * f;
  },
);

/** Uses weights its own way. */
const weighted = pairFunctor(
  {
    name: 'weighted',
    central: { ep: 'real' },
    params: { k: 'real' },
    traits: { needsPairWeights: true },
  },
  (i, _j, d, p) => {
    i.ep += p.k * d.weight * d.weight * (4 - d.r2);
  },
);

/** Three bodies with everything a buffer can have. */
const triplets = neighbourhoodFunctor(
  {
    name: 'triplets',
    central: { fx: 'real', ep: 'real', seen: 'u32' },
    read: { charge: 'real' },
    neighbour: { charge: 'real', type: 'u32' },
    scatter: { fx: 'real', fy: 'real' },
    work: { g: 'real' },
    params: { k: 'real' },
  },
  (i, b, p) => {
    i.ep += 1;
    i.seen += b.count;
    for (let k = 0; k < b.count; k++) b.g[k] = p.k * (4 - b.r2[k]!) * b.charge[k]!;
    for (let j = 0; j < b.count; j++) {
      for (let k = 0; k < j; k++) {
        if (b.type[j] !== b.type[k]) continue;
        const dot = b.dx[j]! * b.dx[k]! + b.dy[j]! * b.dy[k]! + b.dz[j]! * b.dz[k]!;
        const e = i.charge * b.g[j]! * b.g[k]! * dot;
        i.ep += e;
        i.fx += e * (b.dx[j]! + b.dx[k]!);
        b.fx[k] += e * b.dx[j]!;
        b.fx[j] += e * b.dx[k]!;
        b.fy[j] -= 0.5 * e;
        b.fy[k] -= 0.5 * e;
      }
    }
  },
);

/** The same by a block of lanes, each with its own j, and with values that other lanes have computed. */
const sharedTriplets = neighbourhoodFunctor(
  {
    name: 'shared_triplets',
    central: { fx: 'real', ep: 'real', seen: 'u32' },
    read: { charge: 'real' },
    neighbour: { charge: 'real', type: 'u32' },
    scatter: { fx: 'real', fy: 'real' },
    work: { g: 'real' },
    params: { k: 'real' },
    traits: { blockShared: true },
  },
  (i, b, p) => {
    if (b.lane === 0) {
      i.ep += 1;
      i.seen += b.count;
    }
    for (let k = b.lane; k < b.count; k += b.lanes) b.g[k] = p.k * (4 - b.r2[k]!) * b.charge[k]!;
    b.barrier();
    for (let j = b.lane; j < b.count; j += b.lanes) {
      for (let k = 0; k < j; k++) {
        if (b.type[j] !== b.type[k]) continue;
        const dot = b.dx[j]! * b.dx[k]! + b.dy[j]! * b.dy[k]! + b.dz[j]! * b.dz[k]!;
        const e = i.charge * b.g[j]! * b.g[k]! * dot;
        i.ep += e;
        i.fx += e * (b.dx[j]! + b.dx[k]!);
        b.fx[k] += e * b.dx[j]!;
        b.fx[j] += e * b.dx[k]!;
        b.fy[j] -= 0.5 * e;
        b.fy[k] -= 0.5 * e;
      }
    }
  },
);

/** Sees the weights of its neighbours. */
const weightedTriplets = neighbourhoodFunctor(
  { name: 'weighted_triplets', central: { ep: 'real' }, traits: { needsPairWeights: true } },
  (i, b) => {
    for (let k = 0; k < b.count; k++) i.ep += b.weight[k]! * (4 - b.r2[k]!);
  },
);

/** Deviations from the mean over the neighbours, and what is left of particles without any. */
const deviation = pairFunctor(
  {
    name: 'deviation',
    central: { ep: 'real', seen: 'u32' },
    read: { charge: 'real' },
    neighbour: { charge: 'real', type: 'u32' },
    params: { k: 'real' },
    helpers: { square: (x: number) => x * x },
    context: { sum: 'real', squares: 'real', count: 'u32', nearest: 'real' },
    contextStart: (x, i, p) => {
      x.nearest = 4 * p.k;
      if (i.charge > 0.75) return;
      x.sum = i.charge;
    },
    contextStop: (x, i, p, h) => {
      const mean = x.count > 0 ? x.sum / x.count : 0;
      i.ep += p.k * (x.squares - x.count * h.square(mean)) + x.nearest;
      i.seen += x.count + 1;
    },
  },
  (i, j, d, p, h, _c, x) => {
    x.nearest = Math.min(x.nearest, d.r2 * p.k);
    if (j.type === 1) return;
    x.count++;
    x.sum += j.charge * (4 - d.r2);
    x.squares += h.square(j.charge * (4 - d.r2));
    i.ep += 0.125 * d.x;
  },
);

/** The same for both forms, but for one that tells them apart. */
const countAll = neighbourhoodFunctor({ name: 'count_all', central: { seen: 'u32' } }, (i, b) => {
  i.seen += b.count + 1;
});
const countPairs = pairFunctor({ name: 'count_pairs', central: { seen: 'u32' } }, (i) => {
  i.seen += 1;
});

// biome-ignore lint/suspicious/noExplicitAny: functors of all shapes share these bodies
type Any = PairFunctor<any, any> | NeighbourhoodFunctor<any, any>;
type Row = Record<string, number>;

/** Particles in a skewed periodic box, with groups. */
function particles(ctx: ExecutionContext): Grid {
  const next = sequence(7);
  const domain = Domain.triclinic([6, 0, 0, 1.5, 6, 0, -1, 0.75, 6], { origin: [1, -2, 0.5] });
  const positions = Array.from({ length: 60 }, () => {
    const place = domain.toCartesian(next(), next(), next());
    return place.map((x) => Math.round(x * 2 ** 14) / 2 ** 14) as [number, number, number];
  });
  const types = positions.map(() => Math.floor(2 * next()));
  const grid = gridOf(ctx.heap, domain, positions, types);
  grid.addBlock({ name: 'group', type: 'u32', width: 1, members: ['group'] });
  grid.addBlock({ name: 'seen', type: 'u32', width: 1, members: ['seen'] });
  grid.setValues(
    'group',
    positions.map(() => Math.floor(8 * next())),
  );
  grid.setValues(
    'charge',
    positions.map(() => Math.round(64 * next()) / 64 + 0.25),
  );
  return grid;
}

/** What must come out, by calling the user's function for what a search over all pairs finds. */
function expected(grid: Grid, functor: Any, options: PairAdaptations, list: readonly PairWeight[]) {
  const { spec } = functor;
  if (spec.kind !== 'pair' && spec.kind !== 'neighbourhood') throw new Error('no pairs');
  const { particleFilter: particle, cellFilter: cells, xform } = options;
  const fields = new Map<string, Float64Array>();
  const value = (name: string, row: number) => {
    const known = fields.get(name) ?? grid.values(name);
    fields.set(name, known);
    return known[row]!;
  };
  const passes = (s: { field: string; bits: number } | undefined, row: number) =>
    !s || (value(s.field, row) & s.bits) !== 0;
  const inCell = (row: number) => {
    if (!cells) return true;
    const at = grid.domain.toFractional(value('rx', row), value('ry', row), value('rz', row));
    const [x, y, z] = at.map((s, k) => Math.floor((s - Math.floor(s)) * cells.cells[k]!));
    return cells.mask[x! + cells.cells[0] * (y! + cells.cells[1] * z!)] !== 0;
  };
  const weightOf = (i: number, j: number) => {
    const found = list.find(
      ({ ids }) => ids.includes(value('id', i)) && ids.includes(value('id', j)),
    );
    return found ? found.weight : 1;
  };
  const ownWeight = functor.traits.needsPairWeights;
  const names = Object.keys(functor.outputs);
  const result = new Map(names.map((name) => [name, new Float64Array(grid.count)]));
  const pick = (schema: object, row: number): Row =>
    Object.fromEntries(Object.keys(schema).map((name) => [name, value(name, row)]));
  const zero = (schema: object): Row => Object.fromEntries(Object.keys(schema).map((n) => [n, 0]));
  const found = bruteForcePairs(grid, 2.8).map(({ i, j, d }) => {
    const m = xform ?? [1, 0, 0, 0, 1, 0, 0, 0, 1];
    const [x, y, z] = [0, 1, 2].map(
      (r) => m[3 * r]! * d[0] + m[3 * r + 1]! * d[1] + m[3 * r + 2]! * d[2],
    );
    return { i, j, x: x!, y: y!, z: z!, r2: x! * x! + y! * y! + z! * z!, weight: weightOf(i, j) };
  });
  for (let i = 0; i < grid.count; i++) {
    if (!passes(particle?.central, i) || !inCell(i)) continue;
    const near = found.filter(
      (pair) =>
        pair.i === i &&
        pair.r2 < RCUT * RCUT &&
        passes(particle?.neighbour, pair.j) &&
        (ownWeight || pair.weight !== 0),
    );
    if (spec.kind === 'pair' && spec.context) {
      const central = { ...pick(spec.read, i), ...zero(spec.central) };
      const x = zero(spec.context);
      const rest = [x, central, { k: 0.75 }, { ...spec.helpers }] as never[];
      spec.contextStart?.(...rest);
      for (const pair of near)
        functor.invoke(central, pick(spec.neighbour, pair.j), pair, { k: 0.75 }, x);
      spec.contextStop?.(...rest);
      for (const name of names) result.get(name)![i]! += central[name]!;
      continue;
    }
    if (spec.kind === 'pair') {
      for (const pair of near) {
        const central = { ...pick(spec.read, i), ...zero(spec.central) };
        functor.invoke(central, pick(spec.neighbour, pair.j), pair, { k: 0.75 });
        for (const name of names)
          result.get(name)![i]! += central[name]! * (ownWeight ? 1 : pair.weight);
      }
      continue;
    }
    const central = { ...pick(spec.read, i), ...zero(spec.central) };
    const barrier = () => {};
    const b: Record<string, number | number[] | (() => void)> = {
      count: near.length,
      lane: 0,
      lanes: 1,
      barrier,
    };
    for (const [name, key] of Object.entries({
      dx: 'x',
      dy: 'y',
      dz: 'z',
      r2: 'r2',
      weight: 'weight',
    }))
      b[name] = near.map((pair) => pair[key as 'x']);
    for (const name of Object.keys(spec.neighbour)) b[name] = near.map((p) => value(name, p.j));
    for (const name of Object.keys({ ...spec.scatter, ...spec.work })) b[name] = near.map(() => 0);
    functor.invoke(central, b, { k: 0.75 });
    for (const name of Object.keys(spec.central)) result.get(name)![i]! += central[name]!;
    for (const name of Object.keys(spec.scatter))
      near.forEach((pair, k) => {
        result.get(name)![pair.j]! += (b[name] as number[])[k]!;
      });
  }
  return result;
}

const exclusions: PairWeight[] = [];
const scaled: PairWeight[] = [];
for (let a = 0; a < 60; a++)
  for (const step of [1, 7, 11]) {
    const ids = [a, (a + step) % 60] as const;
    if (ids[0] < ids[1]) exclusions.push({ ids, weight: 0 });
    if (ids[0] < ids[1]) scaled.push({ ids, weight: step === 7 ? 0 : 0.5 + a / 100 });
  }

const every: { name: string; options: PairAdaptations; weights?: readonly PairWeight[] }[] = [
  { name: 'nothing', options: {} },
  {
    name: 'a filter of central particles',
    options: { particleFilter: { central: { field: 'group', bits: 3 } } },
  },
  {
    name: 'two filters',
    options: {
      particleFilter: {
        central: { field: 'group', bits: 1 },
        neighbour: { field: 'group', bits: 6 },
      },
    },
  },
  {
    name: 'the same filter for both',
    options: {
      particleFilter: {
        central: { field: 'group', bits: 4 },
        neighbour: { field: 'group', bits: 4 },
      },
    },
  },
  {
    name: 'two filters again, after the same one',
    options: {
      particleFilter: {
        central: { field: 'group', bits: 2 },
        neighbour: { field: 'group', bits: 5 },
      },
    },
  },
  {
    name: 'cells',
    options: { cellFilter: { cells: [2, 3, 1], mask: [1, 0, 1, 1, 0, 0] } },
  },
  { name: 'exclusions', options: {}, weights: exclusions },
  { name: 'a deformed box', options: { xform: [1.05, 0.2, 0, 0, 0.9, 0.1, -0.1, 0, 1.1] } },
  {
    name: 'everything',
    options: {
      xform: [1.05, 0.2, 0, 0, 0.9, 0.1, -0.1, 0, 1.1],
      particleFilter: { central: { field: 'group', bits: 7 } },
      cellFilter: { cells: [1, 2, 2], mask: [1, 1, 1, 0] },
    },
    weights: exclusions,
  },
];
const contained = new Set([
  'a filter of central particles',
  'two filters',
  'cells',
  'the same filter for both',
]);
const scalings = { name: 'scaled weights', options: {}, weights: scaled };

const cases: { functor: Any; list: typeof every; forms: readonly ('buffered' | 'bufferless')[] }[] =
  [
    { functor: spring, list: [...every, scalings], forms: ['buffered', 'bufferless'] },
    {
      functor: weighted,
      list: [every[0]!, every[8]!, scalings],
      forms: ['buffered', 'bufferless'],
    },
    { functor: triplets, list: every, forms: ['buffered'] },
    { functor: sharedTriplets, list: [every[0]!, every[8]!], forms: ['buffered'] },
    {
      functor: deviation,
      list: [...every.slice(0, 7), every[8]!],
      forms: ['buffered', 'bufferless'],
    },
    { functor: weightedTriplets, list: [every[0]!, scalings], forms: ['buffered'] },
  ];

/**
 * Filters, weights and transformations of pair calls, and functors of neighbourhoods.
 * @param few leaves out what others contain, where compiling is slow
 */
export function describeAdaptedPairs(backend: Backend, few = false): void {
  describe(backend.name, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx?.close());

    it.each([
      ['auto', 'either'],
      ['buffered', 'neighbourhoods'],
      ['bufferless', 'pairs'],
    ] as const)('two functors of one call, %s', async (form, which) => {
      const grid = particles(ctx);
      await updateNeighbours(grid, ctx, { rcut: 2.4, skin: 0.2 });
      const outputs = { seen: 'total' } as const;
      const forms = { buffered: countAll, bufferless: countPairs };
      const { seen } = await computeCellParticlePairs(grid, forms, ctx, {
        rcut: RCUT,
        outputs,
        form,
      });
      const pairs = bruteForcePairs(grid, RCUT).length;
      const own =
        which === 'either' ? (ctx.backend === 'cpu' ? 60 : 0) : which === 'pairs' ? 0 : 60;
      expect(seen).toBe(pairs + own);
      grid.free();
    });

    for (const { functor, list, forms } of cases)
      for (const { name, options, weights = [] } of list.filter(
        (entry) => !few || !contained.has(entry.name),
      ))
        it.each(forms)(`${functor.name} with ${name}, %s`, async (form) => {
          const grid = particles(ctx);
          await updateNeighbours(grid, ctx, { rcut: 2.4, skin: 0.2 });
          const params: Row = 'k' in functor.params ? { k: 0.75 } : {};
          const outputs = Object.fromEntries(
            Object.keys(functor.outputs).map((n) => [n, 'both'] as const),
          );
          const all = {
            ...options,
            ...(weights.length > 0 ? { weights: pairWeights(weights) } : {}),
          };
          const totals: Row = await computeCellParticlePairs(grid, functor, ctx, {
            rcut: RCUT,
            params,
            outputs,
            form,
            ...all,
          });
          await newestOnHost(grid, ctx);
          for (const [field, values] of expected(grid, functor, options, weights)) {
            const found = grid.values(field);
            const size = values.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
            values.forEach((x, row) => {
              expect(Math.abs(found[row]! - x), `${field} of row ${row}`).toBeLessThan(
                backend.tolerance * size,
              );
            });
            const sum = values.reduce((a, b) => a + b, 0);
            const sizes = values.reduce((a, b) => a + Math.abs(b), 1);
            expect(Math.abs(totals[field]! - sum)).toBeLessThan(backend.tolerance * sizes);
          }
          grid.free();
        });
  });
}
