import { Domain, SharedHeap } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import {
  createExecutionContext,
  type ExecutionContext,
  updateNeighbors,
} from '@corpuscle/patterns';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

type Repeat = [number, number, number];
type Columns = Record<string, Float64Array>;
const rcut = 2.5;
// Force-shifted: no pair that rounding takes across the cutoff changes anything.
const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut, shift: 'force' });

let double: ExecutionContext;
let mixed: ExecutionContext;
beforeAll(async () => {
  double = await createExecutionContext({
    backend: 'cpu',
    precision: 'f64',
    heap: new SharedHeap(),
  });
  mixed = await createExecutionContext({
    backend: 'cpu',
    precision: 'mixed',
    heap: new SharedHeap(),
  });
});
afterAll(() => Promise.all([double.close(), mixed.close()]));

const byId = (grid: ReturnType<typeof createGrid>, names: readonly string[]): Columns => {
  const order = grid.rowsById();
  return Object.fromEntries(
    names.map((name) => {
      const values = grid.values(name);
      return [name, Float64Array.from(order, (row) => values[row]!)];
    }),
  );
};

/** Positions of a melt, and what an engine makes of them after the whole box has been moved by `offset`. */
async function errors(repeat: Repeat, offset: number) {
  const frame = lattice({ structure: 'fcc', density: 0.8442, repeat });
  const types = [{ name: 'A', mass: 1 }];
  const melt = createGrid(frame, types, double.heap);
  initTemperature(melt, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
  await molecularDynamics(melt, double, { forces: [term], dt: 0.005, steps: 60, skin: 0.3 });
  const places = byId(melt, ['rx', 'ry', 'rz']);
  melt.free();
  const evaluate = async (ctx: ExecutionContext) => {
    const grid = createGrid(frame, types, ctx.heap);
    const { matrix } = grid.domain;
    grid.domain = Domain.triclinic([...matrix], { origin: [offset, offset, offset] });
    const order = grid.rowsById();
    for (const [name, values] of Object.entries(places)) {
      const moved = new Float64Array(grid.count);
      order.forEach((row, k) => {
        moved[row] = values[k]! + offset;
      });
      grid.setValues(name, moved);
    }
    updateNeighbors(grid, ctx, { rcut, skin: 0.3 });
    const request = { forces: true, energies: true, totals: false };
    await term.compute(grid, ctx, request);
    const totals = term.totals(
      await term.compute(grid, ctx, { forces: false, energies: false, totals: true }),
    );
    const columns = byId(grid, ['fx', 'fy', 'fz', 'ep']);
    grid.free();
    return { columns, energy: totals.energy };
  };
  const [exact, single] = [await evaluate(double), await evaluate(mixed)];
  let difference = 0;
  let norm = 0;
  for (const name of ['fx', 'fy', 'fz']) {
    exact.columns[name]!.forEach((value, k) => {
      difference += (single.columns[name]![k]! - value) ** 2;
      norm += value ** 2;
    });
  }
  return {
    force: Math.sqrt(difference / norm),
    energy: Math.abs(single.energy / exact.energy - 1),
  };
}

describe('mixed precision', () => {
  // Stated: rms force error relative to the rms force, and relative error of the total energy.
  it.each([
    ['L = 34', [20, 20, 20], 0],
    ['L = 270 along z', [8, 8, 160], 0],
    ['L = 34, far from the origin', [20, 20, 20], 1e5],
  ] as [string, Repeat, number][])(
    'has an rms force error below 8e-7: %s',
    async (_name, repeat, offset) => {
      const { force, energy } = await errors(repeat, offset);
      expect(force).toBeLessThan(8e-7);
      expect(energy).toBeLessThan(1e-7);
    },
  );
});
