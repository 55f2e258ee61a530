import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { componentTable } from './componentTable.js';
import { labelComponents, type VoxelGrid, type VoxelNeighbors } from './labelComponents.js';

/** Floods one component after the other, from its first voxel. */
function flooded(
  { dims, periodic }: VoxelGrid,
  inside: ArrayLike<number>,
  neighbors: VoxelNeighbors,
): number[] {
  const [nx, ny, nz] = dims;
  const labels = new Array<number>(nx * ny * nz).fill(0);
  let count = 0;
  for (let first = 0; first < labels.length; first++) {
    if (!inside[first] || labels[first] !== 0) continue;
    labels[first] = ++count;
    const open = [first];
    for (let voxel = open.pop(); voxel !== undefined; voxel = open.pop()) {
      const at = [voxel % nx, Math.floor(voxel / nx) % ny, Math.floor(voxel / nx / ny)];
      for (let d = 0; d < 27; d++) {
        const step = [(d % 3) - 1, (Math.floor(d / 3) % 3) - 1, Math.floor(d / 9) - 1];
        if (neighbors === 'faces' && step.reduce((sum, s) => sum + Math.abs(s), 0) !== 1) continue;
        const to = at.map((u, k) => u + step[k]!);
        if (to.some((u, k) => !periodic[k] && (u < 0 || u >= dims[k]!))) continue;
        const [x, y, z] = to.map((u, k) => (u + dims[k]!) % dims[k]!) as [number, number, number];
        const other = x + nx * (y + ny * z);
        if (!inside[other] || labels[other] !== 0) continue;
        labels[other] = count;
        open.push(other);
      }
    }
  }
  return labels;
}

describe('labelComponents', () => {
  it('labels as a flood does, in any grid', () => {
    const grids = fc.record({
      dims: fc.tuple(...[1, 2, 3].map(() => fc.integer({ min: 1, max: 6 }))),
      periodic: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
      fill: fc.double({ min: 0, max: 1, noNaN: true }),
      neighbors: fc.constantFrom('faces' as const, 'all' as const),
      seed: fc.integer({ min: 1, max: 1e6 }),
    });
    const property = fc.property(grids, ({ dims, periodic, fill, neighbors, seed }) => {
      const voxels = { dims: dims as [number, number, number], periodic };
      const size = dims.reduce((a, b) => a * b, 1);
      const inside = Array.from({ length: size }, (_, k) =>
        Number(((k + 1) * seed * 0.618033988749895) % 1 < fill),
      );
      const { labels, count } = labelComponents(voxels, inside, neighbors);
      const expected = flooded(voxels, inside, neighbors);
      expect([...labels]).toEqual(expected);
      expect(count).toBe(Math.max(0, ...expected));
    });
    fc.assert(property, { numRuns: 300 });
  });

  it.each(['faces', 'all'] as const)('labels as scipy.ndimage does: %s', (neighbors) => {
    const url = new URL('../../../../../test/data/analyses/labels.json', import.meta.url);
    const { dims, inside, ...found } = JSON.parse(readFileSync(url, 'utf8'));
    const voxels = { dims, periodic: [false, false, false] as const };
    const { labels, count } = labelComponents(voxels, inside, neighbors);
    expect(count).toBe(found[neighbors].count);
    expect([...labels]).toEqual(found[neighbors].labels);
  });

  it('finds center and volume of a component across a periodic face', () => {
    const voxels = { dims: [8, 4, 4], periodic: [true, false, true] } as const;
    const inside = new Uint8Array(128);
    const values = new Float64Array(128);
    for (const [n, x] of [7, 0, 1].entries()) {
      inside[x + 8 * (1 + 4 * 2)] = 1;
      values[x + 8 * (1 + 4 * 2)] = n + 1;
    }
    const components = labelComponents(voxels, inside);
    const map = { origin: [10, 20, 30], spacing: [0.5, 1, 2] } as const;
    const [row, ...more] = componentTable(map, voxels, components, values);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ label: 1, voxels: 3, volume: 3, mean: 2, y: 21.5 });
    expect(row!.x).toBeCloseTo(10 + 0.5 * 0.5, 12);
    expect(row!.z).toBeCloseTo(30 + 2.5 * 2, 12);
  });
});
