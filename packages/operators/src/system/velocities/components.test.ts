import { SharedHeap } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { createGrid } from '../createGrid.js';
import { lattice } from '../lattice/lattice.js';
import { initTemperature } from './initTemperature.js';

it.each(['gaussian', 'lammps_geom'] as const)(
  'components of %s velocities are not correlated, nor those of particles with ids in a row',
  (method) => {
    const frame = lattice({ structure: 'sc', density: 0.9, repeat: [20, 20, 20] });
    const grid = createGrid(frame, [{ name: 'A', mass: 1 }], new SharedHeap());
    initTemperature(grid, { temperature: 1, seed: 11, method });
    const order = [...grid.rowsById()];
    const v = ['vx', 'vy', 'vz'].map((name) => {
      const values = grid.values(name);
      return order.map((row) => values[row]!);
    });
    const n = order.length;
    const covariance = (a: number[], b: number[], shift: number) =>
      a.reduce((sum, value, k) => sum + value * b[(k + shift) % n]!, 0) / n;
    // The standard error of a covariance of 8,000 unit normals is 0.011; five of them bound all.
    for (let a = 0; a < 3; a++)
      for (let b = 0; b < 3; b++)
        for (const shift of a === b ? [1, 2] : [0, 1, 2])
          expect(Math.abs(covariance(v[a]!, v[b]!, shift)), `${a} ${b} ${shift}`).toBeLessThan(
            5 / Math.sqrt(n),
          );
  },
);
