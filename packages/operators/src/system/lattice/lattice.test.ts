import { expect, it } from 'vitest';
import { lattice } from './lattice.js';
import { type StructureName, structures } from './structures.js';

/** Neighbors of every site and their distance, in lattice constants. */
const SHELLS: Readonly<Record<StructureName, readonly [count: number, distance: number]>> = {
  sc: [6, 1],
  bcc: [8, Math.sqrt(3) / 2],
  fcc: [12, Math.SQRT1_2],
  diamond: [4, Math.sqrt(3) / 4],
  hcp: [12, 1],
};

it.each(Object.keys(structures) as StructureName[])('%s has the density asked for', (structure) => {
  for (const density of [0.8442, 3]) {
    const { lattice: edges, count } = lattice({ structure, density, repeat: [2, 3, 4] });
    expect(count / (edges![0]! * edges![4]! * edges![8]!) / density).toBeCloseTo(1, 13);
  }
});

it.each(Object.entries(SHELLS))('%s: every site has its nearest neighbors', (name, [count, r]) => {
  const constant = 1.7;
  const crystal = lattice({
    structure: name as StructureName,
    latticeConstant: constant,
    repeat: [3, 3, 3],
  });
  const edges = [0, 4, 8].map((k) => crystal.lattice![k]!);
  const { position } = crystal;
  for (let i = 0; i < crystal.count; i++) {
    const distances: number[] = [];
    for (let j = 0; j < crystal.count; j++) {
      if (i === j) continue;
      const d = edges.map((edge, axis) => {
        const apart = position[3 * i + axis]! - position[3 * j + axis]!;
        return apart - edge * Math.round(apart / edge);
      });
      distances.push(Math.hypot(...d) / constant);
    }
    expect(Math.min(...distances)).toBeCloseTo(r, 12);
    expect(distances.filter((distance) => distance < r + 1e-9)).toHaveLength(count);
  }
});

it.each([
  [{ structure: 'fc', density: 1, repeat: [1, 1, 1] }, "there is no structure 'fc'"],
  [{ structure: 'constructor', density: 1, repeat: [1, 1, 1] }, "no structure 'constructor'"],
  [{ structure: 'fcc', density: 1 }, 'repeat is missing'],
])('refuses %j with one sentence', (options, message) => {
  expect(() => lattice(options as never)).toThrow(
    expect.objectContaining({ code: 'INVALID_VALUE', message: expect.stringContaining(message) }),
  );
});
