import { Domain, type Grid } from '@corpuscle/core';
import { pairFunctor } from '@corpuscle/functor';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itOnce, runs } from '../../../../../test/support/runs.js';
import { createExecutionContext } from '../../../src/context/createExecutionContext.js';
import type { ExecutionContext } from '../../../src/context/ExecutionContext.js';
import { computeCellParticlePairs } from '../../../src/pattern/computeCellParticlePairs.js';
import { updateNeighbors } from '../../../src/pattern/updateNeighbors.js';
import { gridOf } from '../../shared/grids.js';
import { sequence } from '../../shared/oracle.js';

const RCUT = 1.5;
const SKIN = 0.4;
const counting = pairFunctor(
  { name: 'counting', central: { ep: 'real', fx: 'real' }, params: {} },
  (i, _j, d) => {
    i.ep += 0.5;
    i.fx += 0.5 * d.r2;
  },
);

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx.close());

/** Number of pairs within the cutoff, and the sum of their squares. */
function bruteForce(grid: Grid): readonly [number, number] {
  const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  let [pairs, squares] = [0, 0];
  for (let i = 0; i < grid.count; i++)
    for (let j = i + 1; j < grid.count; j++) {
      const [dx, dy, dz] = [x, y, z].map((r) => r![i]! - r![j]!);
      const d = grid.domain.minimumImage(dx!, dy!, dz!);
      const r2 = d[0] ** 2 + d[1] ** 2 + d[2] ** 2;
      if (r2 >= RCUT * RCUT) continue;
      pairs++;
      squares += r2;
    }
  return [pairs, squares];
}

/** Gives a grid a box strained by F (rows of its transpose), and moves particles with it and a little by themselves. */
function strain(grid: Grid, map: readonly number[], by: () => number): void {
  const { domain } = grid;
  const times = (v: readonly number[]) =>
    [0, 1, 2].map((c) => v[0]! * map[c]! + v[1]! * map[3 + c]! + v[2]! * map[6 + c]!);
  const matrix = [0, 3, 6].flatMap((k) => times(domain.matrix.slice(k, k + 3)));
  const r = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  const moved = r.map(() => new Float64Array(grid.count));
  for (let k = 0; k < grid.count; k++)
    times(r.map((values, c) => values[k]! - domain.origin[c]!)).forEach((value, c) => {
      moved[c]![k] = value + domain.origin[c]! + 0.02 + by();
    });
  ['rx', 'ry', 'rz'].forEach((name, c) => {
    grid.setValues(name, moved[c]!);
  });
  const origin = domain.origin.map((o) => o + 0.02) as [number, number, number];
  grid.domain = Domain.triclinic(matrix, { origin, periodic: domain.periodic });
}

describe('lists of a box that strains', () => {
  const boxes = [
    ['orthorhombic', [6, 0, 0, 0, 6.5, 0, 0, 0, 7]],
    ['tilted', [6, 0, 0, 2, 6.5, 0, -1, 2.5, 7]],
  ] as const;
  it.each<(typeof boxes)[number]>(runs(boxes.slice(1), boxes.slice(0, 1)))(
    'find all pairs, and are built again only now and then: %s',
    async (_, matrix) => {
      const next = sequence(5);
      const box = Domain.triclinic([...matrix], { origin: [1, -2, 3] });
      const places = Array.from({ length: 220 }, () => box.toCartesian(next(), next(), next()));
      const grid = gridOf(ctx.heap, box, places);
      let builds = 0;
      for (let step = 0; step < 60; step++) {
        const e = () => 0.006 * (next() - 0.5);
        strain(
          grid,
          [1 + e(), 0, 0, 0.004 + e(), 0.997, 0, e(), e(), 1 + e()],
          () => 0.02 * (next() - 0.5),
        );
        const { rebuilt } = await updateNeighbors(grid, ctx, { rcut: RCUT, skin: SKIN });
        if (rebuilt) builds++;
        const outputs = { ep: 'total', fx: 'total' } as const;
        const { ep, fx } = await computeCellParticlePairs(grid, counting, ctx, {
          rcut: RCUT,
          outputs,
        });
        const [pairs, squares] = bruteForce(grid);
        expect(ep, `step ${step}`).toBe(pairs);
        expect(Math.abs(fx / squares - 1)).toBeLessThan(1e-12);
      }
      expect(builds).toBeGreaterThan(1);
      expect(builds).toBeLessThan(12);
    },
  );

  itOnce('say when a strain is too large for them', async () => {
    const grid = gridOf(ctx.heap, Domain.orthorhombic([6, 6, 6]), [
      [1, 1, 1],
      [2, 2, 2],
    ]);
    await updateNeighbors(grid, ctx, { rcut: RCUT, skin: SKIN });
    strain(grid, [0.9, 0, 0, 0, 1, 0, 0, 0, 1], () => 0);
    const kept = await updateNeighbors(grid, ctx, { rcut: RCUT, skin: SKIN });
    expect(kept.rebuilt).toBe(false);
    strain(grid, [0.8, 0, 0, 0, 1, 0, 0, 0, 1], () => 0);
    const { rebuilt, reason } = await updateNeighbors(grid, ctx, { rcut: RCUT, skin: SKIN });
    expect(rebuilt).toBe(true);
    expect(reason).toMatch(/more than half the skin/);
  });

  itOnce(
    'serve in the box as it is where the caller decides, who is told what that takes of the skin',
    async () => {
      const grid = gridOf(ctx.heap, Domain.orthorhombic([6, 6, 6]), [
        [1, 1, 1],
        [2, 1.5, 1],
      ]);
      const update = (force: true | 'never') =>
        ctx.engines.host
          .prepareLists({ grid, rcut: RCUT, skin: SKIN, tuned: false, force, ahead: false })
          .run({ params: {}, asynchronous: false }).value;
      expect(update('never').maxDisplacement).toBe(RCUT + SKIN);
      update(true);
      strain(grid, [0.9, 0, 0, 0, 1, 0, 0, 0, 1], () => 0);
      const { rebuilt, maxDisplacement } = update('never');
      expect(rebuilt).toBe(false);
      expect(maxDisplacement).toBeCloseTo((0.1 * (RCUT + SKIN)) / 2, 12);
      const outputs = { ep: 'total', fx: 'none' } as const;
      const { ep } = await computeCellParticlePairs(grid, counting, ctx, { rcut: RCUT, outputs });
      expect(ep).toBe(1);
      strain(grid, [0.5, 0, 0, 0, 1, 0, 0, 0, 1], () => 0);
      expect(update('never')).toMatchObject({ rebuilt: false, maxDisplacement: RCUT + SKIN });
    },
  );
});
