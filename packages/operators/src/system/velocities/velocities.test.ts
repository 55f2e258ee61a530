import { SharedHeap } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { createGrid } from '../createGrid.js';
import { lattice } from '../lattice/lattice.js';
import { initTemperature } from './initTemperature.js';

const methods = ['gaussian', 'lammps_geom'] as const;

function crystal(order: 'forward' | 'backward' = 'forward') {
  const frame = lattice({
    structure: 'fcc',
    density: 0.8,
    repeat: [5, 5, 5],
    types: ['A', 'A', 'B', 'A'],
  });
  const types = [
    { name: 'A', mass: 1 },
    { name: 'B', mass: 7 },
  ];
  const grid = createGrid(frame, types, new SharedHeap());
  if (order === 'backward')
    for (const name of ['rx', 'ry', 'rz', 'id', 'mass', 'type'])
      grid.setValues(name, grid.values(name).reverse());
  return grid;
}

const velocities = (grid: ReturnType<typeof crystal>) =>
  [...grid.rowsById()].map((row) => ['vx', 'vy', 'vz'].map((name) => grid.values(name)[row]!));

describe.each(methods)('init_temperature, method %s', (method) => {
  it('has the temperature over 3N − 3 degrees of freedom and no momentum', () => {
    const grid = crystal();
    initTemperature(grid, { temperature: 1.7, seed: 5, method, boltzmann: 2 });
    const mass = grid.values('mass');
    let twice = 0;
    for (const name of ['vx', 'vy', 'vz']) {
      const v = grid.values(name);
      expect(Math.abs(v.reduce((sum, value, k) => sum + mass[k]! * value, 0))).toBeLessThan(1e-11);
      twice += v.reduce((sum, value, k) => sum + mass[k]! * value * value, 0);
    }
    expect(twice / ((3 * grid.count - 3) * 2)).toBeCloseTo(1.7, 12);
  });

  it('does not depend on the order of the particles', () => {
    const [forward, backward] = [crystal(), crystal('backward')];
    for (const grid of [forward, backward])
      initTemperature(grid, { temperature: 1, seed: 3, method });
    const [a, b] = [velocities(forward).flat(), velocities(backward).flat()];
    a.forEach((value, k) => {
      expect(Math.abs(value - b[k]!)).toBeLessThan(1e-13); // the mean is summed in another order
    });
  });

  it('differs between seeds', () => {
    const [one, two] = [crystal(), crystal()];
    initTemperature(one, { temperature: 1, seed: 1, method });
    initTemperature(two, { temperature: 1, seed: 2, method });
    expect(velocities(one)[0]).not.toEqual(velocities(two)[0]);
  });
});

describe('init_temperature', () => {
  it('spreads gaussian velocities as Maxwell and Boltzmann do', () => {
    const frame = lattice({ structure: 'sc', density: 1, repeat: [20, 20, 20] });
    const grid = createGrid(frame, [{ name: 'A', mass: 4 }], new SharedHeap());
    initTemperature(grid, { temperature: 1, seed: 9 });
    const v = grid.values('vx');
    const moment = (n: number) => v.reduce((sum, value) => sum + value ** n, 0) / v.length;
    // Standard errors with 8,000 samples: 1.6 % of the variance, 5.5 % of the fourth moment.
    expect(moment(2)).toBeCloseTo(0.25, 1.5);
    expect(moment(4) / moment(2) ** 2).toBeGreaterThan(2.8);
    expect(moment(4) / moment(2) ** 2).toBeLessThan(3.2);
  });

  it('refuses one particle alone', () => {
    const frame = lattice({ structure: 'sc', density: 1, repeat: [1, 1, 1] });
    const grid = createGrid(frame, [{ name: 'A', mass: 1 }], new SharedHeap());
    expect(() => initTemperature(grid, { temperature: 1, seed: 1 })).toThrow(/one particle/);
  });
});
