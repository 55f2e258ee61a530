import { Domain, Grid, SharedHeap } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { resolveRegion } from './resolveRegion.js';
import { rowsWithin } from './rowsWithin.js';

const unknown = (name: string): never => {
  throw new Error(name);
};
const names = { region: unknown, type: unknown, group: unknown };

it('finds particles that have gone through a face by their places in the box, and leaves those on a face there', () => {
  const domain = Domain.orthorhombic([10, 10, 10], { periodic: [true, true, false] });
  const grid = new Grid(new SharedHeap(), domain);
  const places = [
    [0.5, 5, 5],
    [10.5, 5, 5],
    [-9.6, 25, 5],
    [-0.2, 5, 5],
    [-1e-15, 5, 5],
    [0.5, 5, -3],
  ];
  grid.resize(places.length);
  for (const [axis, name] of ['rx', 'ry', 'rz'].entries())
    grid.setValues(
      name,
      places.map((place) => place[axis]!),
    );
  const found = (region: Parameters<typeof resolveRegion>[0]) => {
    const isWithin = rowsWithin(grid, resolveRegion(region, names));
    return places.flatMap((_, row) => (isWithin(row) ? [row] : []));
  };
  expect(found({ box: { x: [-0.1, 1] } })).toEqual([0, 1, 2, 4, 5]);
  expect(found({ box: { x: [9, 11], y: [4, 6] } })).toEqual([3]);
  expect(found({ box: { z: [-4, 0] } })).toEqual([5]);
});
