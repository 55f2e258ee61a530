import { Domain, SharedHeap } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { fccPositions, gridOf } from '../../shared/grids.js';

// Tables of one length share rows in memory. The oracle is generated JavaScript, which reads them one by one.

const functor = pairFunctor(
  {
    name: 'tables',
    central: { fx: 'real', fy: 'real', fz: 'real', ep: 'real' },
    read: { type: 'u32' },
    neighbor: { type: 'u32' },
    params: {
      n: 'u32',
      a: 'real[]',
      b: 'real[]',
      c: 'real[]',
      single: 'real[]',
      of: 'i32[]',
      long: 'real[]',
    },
  },
  (i, j, d, p, h) => {
    let k = p.n * i.type + j.type;
    let f = p.a[k]! + p.b[k]! * d.r2;
    // The same variable, another row.
    k = p.of[k]!;
    f += p.a[k]! * p.c[k]! + p.c[p.n * j.type + i.type]!;
    if (d.r2 > 1.5) {
      k = 1;
      f += p.b[k]! * p.long[h.u32(d.r2)]!;
    }
    f += p.b[k]! + p.single[k]!;
    i.fx += f * d.x;
    i.fy += f * d.y;
    i.fz += f * d.z;
    i.ep += p.b[p.n * j.type + i.type]!;
  },
);

const params = {
  n: 2,
  a: [0.5, 1.5, -2, 0.25],
  b: [1, 2, 3, 4],
  c: [-1, 0.125, 2, 7],
  single: [3, 1, 4, 1, 5],
  of: [3, 0, 2, 1],
  long: Array.from({ length: 300 }, (_, k) => Math.cos(k)),
};

async function compute(
  precision: 'f64' | 'f32',
  lowering: 'simd' | 'scalar' | 'javascript',
  tables: typeof params = params,
) {
  const heap = new SharedHeap();
  const ctx = await createExecutionContext({
    backend: 'cpu',
    threads: 1,
    heap,
    precision,
    lowering,
  });
  const { length, positions } = fccPositions(3, 0.8);
  const box = Domain.orthorhombic([length, length, length]);
  const grid = gridOf(
    heap,
    box,
    positions.map(([x, y, z], k) => [x + 0.1 * Math.sin(k), y, z + 0.1 * Math.cos(3 * k)] as const),
    positions.map((_, k) => k % 2),
  );
  updateNeighbors(grid, ctx, { rcut: 1.9, skin: 0.2 });
  computeCellParticlePairs(grid, functor, ctx, { rcut: 1.9, params });
  const read = () => ['fx', 'fy', 'fz', 'ep'].flatMap((field) => [...grid.values(field)]);
  const first = read();
  computeCellParticlePairs(grid, functor, ctx, { rcut: 1.9, params: tables });
  const second = read().map((value, k) => value - first[k]!);
  await ctx.close();
  return [first, second];
}

it.each([
  ['f64', 'simd', 1e-11],
  ['f64', 'scalar', 1e-11],
  ['f32', 'simd', 1e-4],
  ['f32', 'scalar', 1e-4],
] as const)(
  'tables of equal and unequal lengths in %s, %s',
  async (precision, lowering, tolerance) => {
    // Other lengths in the second call: other tables share rows then.
    const other = { ...params, c: [...params.c, 9], single: [3, 1, 4, 1] };
    const wanted = await compute('f64', 'javascript', other);
    const found = await compute(precision, lowering, other);
    wanted.forEach((values, call) => {
      const scale = Math.max(...values.map(Math.abs));
      expect(scale).toBeGreaterThan(1);
      values.forEach((value, k) => {
        expect(Math.abs(found[call]![k]! - value)).toBeLessThan(tolerance * scale);
      });
    });
  },
);
