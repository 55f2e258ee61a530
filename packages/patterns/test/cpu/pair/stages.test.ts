import { Domain, SharedHeap } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { describe, expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';

// Kernels take runs of neighbors in stages, so many at a time. The oracle is generated JavaScript, which knows no stages.

const make = (newton3: boolean) =>
  pairFunctor(
    {
      name: 'rare',
      central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
      read: { charge: 'real' },
      neighbor: { charge: 'real' },
      params: { steep: 'real', power: 'real' },
      traits: { newton3 },
    },
    (i, j, d, p) => {
      const r = Math.sqrt(d.r2);
      // Both exponentials and the logarithm leave the usual range on some lanes; a negative base does as well.
      const e = Math.exp(-p.steep * d.r2) + Math.exp(-r) * Math.log(d.r2 + 1e-3);
      const f = e + 0.01 * (1.5 - r) ** p.power + i.charge * j.charge;
      i.fx += f * d.x;
      i.fy += f * d.y;
      i.fz += f * d.z;
      i.ep += e;
    },
  );
/** Without attributes of the particles, runs of several particles are computed together. */
const together = pairFunctor(
  {
    name: 'rare_together',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    params: { steep: 'real', power: 'real' },
    traits: { newton3: true },
  },
  (i, _j, d, p) => {
    const e = Math.exp(-p.steep * d.r2) + Math.exp(-Math.sqrt(d.r2)) * Math.log(d.r2 + 1e-3);
    const f = e + 0.01 * (1.5 - d.r2) ** p.power;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
    i.ep += e;
  },
);
const functors = { half: make(true), full: make(false), together };
type Case = keyof typeof functors;

/** So many particles in a ball of radius 1.4, all within the cutoff of 3 of each other. */
const ball = (count: number) =>
  Array.from({ length: count }, (_, k): [number, number, number] => {
    const height = 1 - (2 * k + 1) / count;
    const radius = 1.4 * Math.cbrt(((7 * k) % count) / count + 0.01);
    const ring = radius * Math.sqrt(1 - height * height);
    return [ring * Math.cos(2.4 * k), ring * Math.sin(2.4 * k), radius * height];
  });

const fields = ['fx', 'fy', 'fz', 'ep'] as const;
const all = { fx: 'particles', fy: 'particles', fz: 'particles', ep: 'both' } as const;

async function compute(
  count: number,
  list: Case,
  options: {
    readonly precision: 'f64' | 'f32';
    readonly lowering: 'simd' | 'javascript';
    readonly form?: 'buffered' | 'bufferless';
    readonly forcesOnly?: boolean;
  },
) {
  const { form = 'bufferless', forcesOnly = false, ...context } = options;
  const heap = new SharedHeap();
  const ctx = await createExecutionContext({ backend: 'cpu', threads: 1, heap, ...context });
  const places = ball(count);
  const grid = gridOf(
    heap,
    Domain.open(),
    places,
    places.map(() => 0),
  );
  if (!grid.hasField('charge')) {
    grid.addBlock({ name: 'charge', type: 'f64', width: 1, members: ['charge'] });
  }
  grid.setValues(
    'charge',
    Float64Array.from({ length: count }, (_, k) => (k % 3) - 1),
  );
  updateNeighbors(grid, ctx, { rcut: 3, skin: 0.3 });
  const params = { steep: 900, power: 3 };
  const outputs = forcesOnly ? ({ ...all, ep: 'none' } as const) : all;
  const call = { rcut: 3, params, outputs, form };
  const totals = computeCellParticlePairs(grid, functors[list], ctx, call).value;
  const values = fields.map((field) => [...grid.values(field)]);
  await ctx.close();
  return { values, total: (totals as { ep?: number }).ep ?? 0 };
}

describe.each([
  ['half', 'f64', 1e-11],
  ['full', 'f64', 1e-11],
  ['together', 'f64', 1e-11],
  ['together', 'f32', 2e-4],
  ['half', 'f32', 2e-4],
  ['full', 'f32', 2e-4],
] as const)('%s in %s', (list, precision, tolerance) => {
  it.each([
    [1, 'bufferless', false],
    [2, 'bufferless', false],
    [9, 'buffered', false],
    [70, 'bufferless', true],
    [70, 'buffered', false],
    [131, 'bufferless', false],
    [300, 'bufferless', true],
    [300, 'buffered', false],
  ] as const)(
    '%i particles in reach of each other, %s, only forces: %s',
    async (count, form, forcesOnly) => {
      const oracle = await compute(count, list, {
        precision: 'f64',
        lowering: 'javascript',
        forcesOnly,
      });
      const found = await compute(count, list, { precision, lowering: 'simd', form, forcesOnly });
      oracle.values.forEach((wanted, k) => {
        const scale = Math.max(1, ...wanted.map(Math.abs));
        const off = wanted.map((value, row) => Math.abs(found.values[k]![row]! - value));
        expect(Math.max(...off)).toBeLessThan(tolerance * scale);
      });
      expect(Math.abs(found.total - oracle.total)).toBeLessThan(
        tolerance * Math.max(1, Math.abs(oracle.total)),
      );
    },
  );
});
