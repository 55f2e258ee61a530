import { Domain, type Grid } from '@corpuscle/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ExecutionContext } from '../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../src/pattern/computeCellParticlePairs.js';
import { newestOnHost } from '../../src/pattern/newestOnHost.js';
import { updateNeighbors } from '../../src/pattern/updateNeighbors.js';
import type { PairAdaptations } from '../../src/plan/adapt/adaptPairs.js';
import { type PairWeight, pairWeights } from '../../src/plan/adapt/pairWeights.js';
import {
  type AnyPairs,
  countAll,
  countPairs,
  deviation,
  sharedTriplets,
  spring,
  triplets,
  weighted,
  weightedTriplets,
} from './adaptFunctors.js';
import { expectedPairs } from './adaptOracle.js';
import type { Backend } from './Backend.js';
import { bruteForcePairs } from './bruteForce.js';
import { gridOf } from './grids.js';
import { sequence } from './oracle.js';

const RCUT = 2;

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
        neighbor: { field: 'group', bits: 6 },
      },
    },
  },
  {
    name: 'the same filter for both',
    options: {
      particleFilter: {
        central: { field: 'group', bits: 4 },
        neighbor: { field: 'group', bits: 4 },
      },
    },
  },
  {
    name: 'two filters again, after the same one',
    options: {
      particleFilter: {
        central: { field: 'group', bits: 2 },
        neighbor: { field: 'group', bits: 5 },
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
/** What others contain. */
export const contained: ReadonlySet<string> = new Set([
  'a filter of central particles',
  'two filters',
  'cells',
  'the same filter for both',
]);
const scalings = { name: 'scaled weights', options: {}, weights: scaled };

const cases: {
  functor: AnyPairs;
  list: typeof every;
  forms: readonly ('buffered' | 'bufferless')[];
}[] = [
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
 * Filters, weights and transformations of pair calls, and functors of neighborhoods.
 * @param takes chooses among functors and options, where compiling is slow
 */
export function describeAdaptedPairs(
  backend: Backend,
  takes: (functor: string, options: string) => boolean = () => true,
): void {
  describe(backend.name, () => {
    let ctx: ExecutionContext;
    beforeAll(async () => {
      ctx = await backend.open();
    });
    afterAll(() => ctx?.close());

    it.each([
      ['auto', 'either'],
      ['buffered', 'neighborhoods'],
      ['bufferless', 'pairs'],
    ] as const)('two functors of one call, %s', async (form, which) => {
      const grid = particles(ctx);
      await updateNeighbors(grid, ctx, { rcut: 2.4, skin: 0.2 });
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
      for (const { name, options, weights = [] } of list.filter((entry) =>
        takes(functor.name, entry.name),
      ))
        it.each(forms)(`${functor.name} with ${name}, %s`, async (form) => {
          const grid = particles(ctx);
          await updateNeighbors(grid, ctx, { rcut: 2.4, skin: 0.2 });
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
          for (const [field, values] of expectedPairs(grid, functor, options, weights, RCUT)) {
            const found = grid.values(field);
            const size = values.reduce((most, x) => Math.max(most, Math.abs(x)), 1);
            const off = values.map((x, row) => Math.abs(found[row]! - x));
            expect(Math.max(...off), field).toBeLessThan(backend.tolerance * size);
            const sum = values.reduce((a, b) => a + b, 0);
            const sizes = values.reduce((a, b) => a + Math.abs(b), 1);
            expect(Math.abs(totals[field]! - sum)).toBeLessThan(backend.tolerance * sizes);
          }
          grid.free();
        });
  });
}
