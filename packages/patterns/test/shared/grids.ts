import { type Domain, Grid, type SharedHeap } from '@corpuscle/core';

/** A grid of particles at the given places, with ids in order, unit mass and the given types. */
export function gridOf(
  heap: SharedHeap,
  domain: Domain,
  positions: readonly (readonly [number, number, number])[],
  types: readonly number[] = [],
): Grid {
  const grid = new Grid(heap, domain);
  grid.resize(positions.length);
  ['rx', 'ry', 'rz'].forEach((name, k) => {
    grid.setValues(
      name,
      positions.map((r) => r[k]!),
    );
  });
  grid.setValues('id', Array.from(positions.keys()));
  grid.setValues(
    'mass',
    positions.map(() => 1),
  );
  grid.setValues(
    'type',
    positions.map((_, k) => types[k] ?? 0),
  );
  return grid;
}

/** Sites of a face-centered cubic crystal of n³ cells with the given density, and the length of its box. */
export function fccPositions(
  n: number,
  density: number,
): { length: number; positions: [number, number, number][] } {
  const a = Math.cbrt(4 / density);
  const basis = [
    [0, 0, 0],
    [0.5, 0.5, 0],
    [0.5, 0, 0.5],
    [0, 0.5, 0.5],
  ] as const;
  const positions: [number, number, number][] = [];
  for (let z = 0; z < n; z++)
    for (let y = 0; y < n; y++)
      for (let x = 0; x < n; x++)
        for (const [bx, by, bz] of basis)
          positions.push([(x + bx) * a, (y + by) * a, (z + bz) * a]);
  return { length: n * a, positions };
}
