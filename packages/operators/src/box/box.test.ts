import { Domain, type Grid } from '@corpuscle/core';
import {
  createExecutionContext,
  type ExecutionContext,
  newestOnHost,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { frameOfPositions } from '../../../../test/support/frameOfPositions.js';
import { bondParticles, bondsOf } from '../bonds/bondParticles.js';
import { ForceLedger } from '../forces/ForceLedger.js';
import { lennardJonesForce } from '../potentials/lennard_jones/lennardJonesForce.js';
import { applyOperators } from '../run/applyOperators.js';
import { gridKey } from '../run/stateKeys.js';
import { createGrid } from '../system/createGrid.js';
import { flipBox } from './flipBox.js';
import { replicate } from './replicate/replicate.js';
import { setBox } from './setBox.js';
import { noStrain, strainBox } from './strainBox.js';

let ctx: ExecutionContext;
beforeAll(async () => {
  ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
});
afterAll(() => ctx?.close());

const TILTED = [6, 0, 0, 1.5, 6.2, 0, -0.7, 2, 5.8];
const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.2 });

/** A disturbed lattice in a box. */
function start(lattice: readonly number[] = TILTED): Grid {
  const box = Domain.triclinic(lattice);
  const places: number[][] = [];
  for (let k = 0; k < 125; k++) {
    const [a, b, c] = [k % 5, Math.floor(k / 5) % 5, Math.floor(k / 25)];
    places.push(box.toCartesian((a + 0.1 * Math.sin(k)) / 5, b / 5, (c + 0.1 * Math.cos(k)) / 5));
  }
  return createGrid(frameOfPositions(places, lattice), [{ name: 'A', mass: 1 }], ctx.heap);
}

async function energyOf(grid: Grid): Promise<number> {
  await updateNeighbors(grid, ctx, { rcut: 2.2, skin: 0.2 });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true });
  ledger.add(term);
  const { energy } = await ledger.totals();
  ledger.close();
  return energy;
}

describe('flipBox', () => {
  it('takes whole lattice vectors back, so that energies stay', async () => {
    const grid = start([6, 0, 0, 5, 6.2, 0, -0.7, 5, 5.8]);
    setBox(grid, ctx, flipBox(grid.domain), 'none');
    const { matrix } = grid.domain;
    expect(matrix.map((x) => Math.round(1e9 * x) / 1e9)).toEqual([
      6, 0, 0, -1, 6.2, 0, 0.3, -1.2, 5.8,
    ]);
    expect(Math.abs((await energyOf(grid)) / bruteForce(grid) - 1)).toBeLessThan(1e-12);
    const mild = Domain.triclinic(TILTED);
    expect(flipBox(mild)).toBe(mild);
  });
});

/** All pairs, with their nearest images in the box as it was before. */
function bruteForce(grid: Grid): number {
  const box = Domain.triclinic([6, 0, 0, 5, 6.2, 0, -0.7, 5, 5.8]);
  const [x, y, z] = ['rx', 'ry', 'rz'].map((name) => grid.values(name));
  let energy = 0;
  for (let i = 0; i < grid.count; i++)
    for (let j = i + 1; j < grid.count; j++) {
      const r = box.minimumImage(x![i]! - x![j]!, y![i]! - y![j]!, z![i]! - z![j]!);
      const r2 = r[0] ** 2 + r[1] ** 2 + r[2] ** 2;
      if (r2 < 2.2 ** 2) energy += 4 * (r2 ** -6 - r2 ** -3);
    }
  return energy;
}

describe('setBox', () => {
  it('moves particles with the box: their energy is that of a system made so', async () => {
    const strain = { ...noStrain, xx: 0.03, zz: -0.01, xy: 0.05, yz: 0.02 };
    const grid = start();
    await energyOf(grid);
    setBox(grid, ctx, strainBox(grid.domain, strain), 'positions');
    await newestOnHost(grid, ctx);
    const made = start([...strainBox(Domain.triclinic(TILTED), strain).matrix]);
    const difference = (await energyOf(grid)) - (await energyOf(made));
    expect(Math.abs(difference)).toBeLessThan(1e-9);
  });
});

describe('replicate', () => {
  it('gives as many times the energy, and every particle an id of its own', async () => {
    const one = start();
    const once = await energyOf(one);
    replicate(one, [2, 1, 3]);
    expect(one.count).toBe(750);
    expect(new Set(one.values('id')).size).toBe(750);
    expect(Math.abs((await energyOf(one)) / (6 * once) - 1)).toBeLessThan(1e-12);
  });

  it('leads bonds across the box to the next copy', () => {
    const grid = createGrid(
      frameOfPositions(
        [
          [0.2, 1, 1],
          [3.9, 1, 1],
        ],
        [4, 0, 0, 0, 4, 0, 0, 0, 4],
      ),
      [{ name: 'A', mass: 1 }],
      ctx.heap,
    );
    bondParticles(grid, [{ ids: [0, 1] }]);
    replicate(grid, [3, 1, 1]);
    const ids = bondsOf(grid)!.bonds.map((bond) => bond.ids);
    expect(ids).toEqual([
      [0, 5],
      [2, 1],
      [4, 3],
    ]);
  });
});

describe('deform with remap: velocities', () => {
  it.each([1, 2])(
    'changes the velocity of a particle that crosses a face in step %i',
    async (step) => {
      const places = [[0.0075 * step - 0.005, 5, 5]];
      const lattice = [10, 0, 0, 0, 10, 0, 0, 0, 10];
      const grid = createGrid(
        frameOfPositions(places, lattice),
        [{ name: 'A', mass: 1 }],
        ctx.heap,
      );
      const { state } = await applyOperators(
        grid,
        ctx,
        [{ set: { velocity: [-1, 0, 0] } }, { run: { steps: 3 } }],
        {
          sections: {
            global: { dt: 0.005 },
            particle_types: { A: { mass: 1 } },
            compute_force: 'nop',
            numerical_scheme: [
              { velocity_verlet: {} },
              { deform: { rate: { xx: 0.1 }, remap: 'velocities' } },
            ],
          },
        },
      );
      await newestOnHost(state.get(gridKey), ctx);
      expect(state.get(gridKey).values('vx')[0]).toBeCloseTo(0, 12);
    },
  );
});
