import { createExecutionContext, type ExecutionContext } from '@corpuscle/patterns';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../../test/support/frameOfPositions.js';
import { createGrid } from '../../system/createGrid.js';
import { steinhardt, steinhardtById } from './steinhardt.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

it('looks farther until a particle far from all others has its nearest neighbors', async () => {
  const edge = 40;
  // All particles but one are close together, so that the density promises neighbors much closer than they are.
  const cluster = Array.from({ length: 60 }, (_, k) => [
    10 + Math.sin(k),
    10 + Math.cos(2 * k),
    10 + Math.sin(3 * k + 1),
  ]);
  const lone = [27, 10, 10];
  const frame = frameOfPositions([...cluster, lone], [edge, 0, 0, 0, edge, 0, 0, 0, edge]);
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  const { rcut } = await steinhardt(grid, ctx, { nearest: 4 });

  const bonds = cluster
    .map((r) => r.map((x, axis) => x - lone[axis]!))
    .map((d) => ({ d, r: Math.hypot(...d) }))
    .sort((a, b) => a.r - b.r)
    .slice(0, 4);
  expect(rcut).toBeGreaterThan(bonds[3]!.r);
  // q_l² = Σ_jk P_l(cos γ_jk)/n², all ordered pairs of bonds.
  const q = (legendre: (c: number) => number) => {
    let sum = 0;
    for (const a of bonds)
      for (const b of bonds)
        sum += legendre(a.d.reduce((dot, x, k) => dot + x * b.d[k]!, 0) / (a.r * b.r));
    return Math.sqrt(sum / 16);
  };
  const { q4, q6, neighbors } = await steinhardtById(grid, ctx);
  expect([...neighbors]).toEqual(Array(61).fill(4));
  expect(q4[60]).toBeCloseTo(
    q((c) => (35 * c ** 4 - 30 * c ** 2 + 3) / 8),
    12,
  );
  expect(q6[60]).toBeCloseTo(
    q((c) => (231 * c ** 6 - 315 * c ** 4 + 105 * c ** 2 - 5) / 16),
    12,
  );
  grid.free();
});

it('gives particles that have too few neighbors 0, and others what they have', async () => {
  // LAMMPS (compute orientorder/atom nnn 2 cutoff 1.3 degrees 2 4 6): 0 for the ends of a row, 1 between bonds of 180°.
  const row = [1, 2.2, 3.4].map((x) => [x, 1, 1]);
  const frame = frameOfPositions(row, [9, 0, 0, 0, 9, 0, 0, 0, 9]);
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  const means = await steinhardt(grid, ctx, { rcut: 1.3, nearest: 2 });
  const { q4, q6, neighbors } = await steinhardtById(grid, ctx);
  expect([...neighbors]).toEqual([1, 2, 1]);
  for (const q of [q4, q6]) expect([...q].map((x) => Number(x.toFixed(12)))).toEqual([0, 1, 0]);
  expect(means.q6).toBeCloseTo(1 / 3, 12);
  expect(means.least).toBe(1);
  grid.free();
});

it('looks no farther than half the box', async () => {
  const frame = frameOfPositions([[1, 1, 1]], [5, 0, 0, 0, 5, 0, 0, 0, 5]);
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  const { rcut, least } = await steinhardt(grid, ctx, { nearest: 4 });
  expect({ rcut, least }).toEqual({ rcut: 2.5, least: 0 });
  grid.free();
});
