import { SharedHeap } from '@corpuscle/core';
import {
  createGrid,
  initTemperature,
  lattice,
  lennardJonesForce,
  molecularDynamics,
} from '@corpuscle/operators';
import { createExecutionContext, type Precision } from '@corpuscle/patterns';
import { expect, it } from 'vitest';

/** 200 steps of a melt with its rebuilds: state by id, and the thermo table. */
async function melt(threads: number, precision: Precision) {
  const ctx = await createExecutionContext({
    backend: 'cpu',
    threads,
    precision,
    deterministic: true,
    heap: new SharedHeap(),
  });
  const frame = lattice({ structure: 'fcc', density: 0.8442, repeat: [8, 8, 8] });
  const grid = createGrid(frame, [{ name: 'A', mass: 1 }], ctx.heap);
  initTemperature(grid, { temperature: 1.44, seed: 87287, method: 'lammps_geom' });
  const { rows } = await molecularDynamics(grid, ctx, {
    forces: [lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 })],
    dt: 0.005,
    steps: 200,
    skin: 0.3,
    thermoFrequency: 50,
  });
  const order = grid.rowsById();
  const state = ['rx', 'ry', 'rz', 'vx', 'vy', 'vz', 'fx', 'fy', 'fz'].map((name) => {
    const values = grid.values(name);
    return Array.from(order, (row) => values[row]!);
  });
  await ctx.close();
  return { rows, state };
}

it.each([
  [1, 'f64'],
  [2, 'f64'],
  [1, 'mixed'],
  [2, 'mixed'],
] as const)(
  'deterministic runs on %i thread(s) in %s give the same bits every time',
  async (threads, precision) => {
    const first = await melt(threads, precision);
    for (let again = 0; again < 2; again++) expect(await melt(threads, precision)).toEqual(first);
  },
);
