import { ForceLedger, lattice, lennardJonesForce } from '@corpuscle/operators';
import { createExecutionContext, updateNeighbors } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { gridOf, largest, vectorsById } from '../support/particlesOf.js';

/** Perfect fcc, per particle: energy and virial trace, computed by summing shells. */
const table = [
  { density: 0.8442, rcut: 1.5, e: -5.504661377095, w: -14.743434445139 },
  { density: 0.8442, rcut: 2.5, e: -6.773368053253, w: -22.158199254035 },
  { density: 0.8442, rcut: 2.8, e: -6.909811322078, w: -22.974518446658 },
  { density: 0.8442, rcut: 3, e: -6.936163097521, w: -23.13236783197 },
  { density: 0.8442, rcut: 4, e: -7.109259876321, w: -24.170131537816 },
  { density: 1, rcut: 1.5, e: -6, w: 0 },
  { density: 1, rcut: 2.5, e: -7.761588139789, w: -10.180724344136 },
  { density: 1, rcut: 3, e: -8.129509137272, w: -12.381903945938 },
  { density: 0.9, rcut: 2.5, e: -7.220259228516, w: -19.446860742187 },
];

describe('lattice sums', () => {
  it.each(table)('of fcc at density $density, rc = $rcut', async ({ density, rcut, e, w }) => {
    await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
    const frame = lattice({ structure: 'fcc', density, repeat: [6, 5, 5] });
    const grid = gridOf(frame, ctx);
    await updateNeighbors(grid, ctx, { rcut, skin: 0.3 });
    const ledger = new ForceLedger(grid, ctx);
    ledger.begin({ totals: true });
    ledger.add(lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut }));
    const { energy, virial } = await ledger.totals();
    expect(Math.abs(energy / frame.count - e)).toBeLessThan(1e-11); // twelve decimals are given
    expect(Math.abs((virial[0] + virial[1] + virial[2]) / frame.count - w)).toBeLessThan(1e-11);
    // By symmetry every force is zero: what is left is rounding of forces of order 10.
    expect(largest(await vectorsById(grid, ctx, 'force'))).toBeLessThan(1e-11);
  });

  it.each([
    // sites a cell, volume of a cell, nearest neighbors
    ['sc', 1, 1, 6],
    ['bcc', 2, 1, 8],
    ['fcc', 4, 1, 12],
    ['diamond', 8, 1, 4],
    ['hcp', 4, Math.sqrt(8), 12],
  ] as const)(
    '%s has %d sites a cell and its coordination number',
    (structure, sites, volume, neighbors) => {
      const frame = lattice({ structure, latticeConstant: 1, repeat: [4, 4, 4] });
      expect(frame.count).toBe(64 * sites);
      const [ax, , , , by, , , , cz] = frame.lattice!;
      expect((ax! * by! * cz!) / 64).toBeCloseTo(volume, 12);
      const { position } = frame;
      const box = [ax!, by!, cz!];
      const distances: number[] = [];
      for (let k = 1; k < frame.count; k++) {
        let r2 = 0;
        for (let axis = 0; axis < 3; axis++) {
          const d = position[3 * k + axis]! - position[axis]!;
          r2 += (d - box[axis]! * Math.round(d / box[axis]!)) ** 2;
        }
        distances.push(Math.sqrt(r2));
      }
      distances.sort((a, b) => a - b);
      expect(distances.filter((r) => r < distances[0]! * 1.0001)).toHaveLength(neighbors);
    },
  );
});
