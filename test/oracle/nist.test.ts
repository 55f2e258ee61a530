import { fileURLToPath } from 'node:url';
import {
  ForceLedger,
  lennardJonesForce,
  type ParticleFrame,
  readExtendedXyz,
} from '@corpuscle/operators';
import { createExecutionContext, updateNeighbors } from '@corpuscle/patterns';
import { describe, expect, it } from 'vitest';
import { gridOf } from '../support/particlesOf.js';

// NIST Standard Reference Simulation Website, Lennard-Jones fluid, cuboid cell: published to five digits; the further
// digits are an independent recomputation that agrees with every published one (see the reference values of the project).
const table = [
  { n: 1, box: 10, rcut: 3, shift: 'none', u: -4351.540194544, w: -568.665465318 },
  { n: 1, box: 10, rcut: 4, shift: 'none', u: -4467.495724948, w: -1263.883371872 },
  { n: 1, box: 10, rcut: 3, shift: 'force', u: -3870.924885784, w: 317.538346012 },
  { n: 1, box: 10, rcut: 2.5, shift: 'none', u: -4214.08529744, w: 253.95245717 },
  { n: 4, box: 8, rcut: 3, shift: 'none', u: -16.790321305, w: -46.249196746 },
  { n: 4, box: 8, rcut: 4, shift: 'none', u: -17.06045322, w: -47.868828191 },
  { n: 4, box: 8, rcut: 3, shift: 'force', u: -15.001402287, w: -43.096005539 },
  { n: 4, box: 8, rcut: 2.5, shift: 'none', u: -16.23251256, w: -42.911718579 },
] as const;

function configuration(n: number, box: number): ParticleFrame {
  const file = fileURLToPath(new URL(`../data/nist/lj-${n}.xyz`, import.meta.url));
  return {
    ...readExtendedXyz(file),
    lattice: [box, 0, 0, 0, box, 0, 0, 0, box],
    origin: [-box / 2, -box / 2, -box / 2],
    periodic: [true, true, true],
  };
}

async function evaluate(
  frame: ParticleFrame,
  rcut: number,
  shift: 'none' | 'energy' | 'force',
  skin = 0.3,
) {
  await using ctx = await createExecutionContext({ backend: 'cpu', threads: 1 });
  const grid = gridOf(frame, ctx);
  await updateNeighbors(grid, ctx, { rcut, skin });
  const ledger = new ForceLedger(grid, ctx);
  ledger.begin({ totals: true });
  ledger.add(lennardJonesForce({ types: frame.species, epsilon: 1, sigma: 1, rcut, shift }));
  const { energy, virial } = await ledger.totals();
  return { energy, virial: virial[0] + virial[1] + virial[2] };
}

describe('NIST Lennard-Jones configurations', () => {
  it.each(table)(
    'matches configuration $n at rc = $rcut, shift $shift',
    async ({ n, box, rcut, shift, u, w }) => {
      const { energy, virial } = await evaluate(configuration(n, box), rcut, shift);
      expect(Math.abs(energy - u)).toBeLessThan(2e-9 * Math.max(1, Math.abs(u) / 1000)); // nine decimals are given
      expect(Math.abs(virial - w)).toBeLessThan(2e-9);
    },
  );

  // rc = 4 in a box of 8 is exactly half: two cells an axis, where a wrapped stencil would count pairs twice.
  it.each([0, 0.01, 0.3, 2])('rc = L/2 does not depend on the skin: %d', async (skin) => {
    const { energy } = await evaluate(configuration(4, 8), 4, 'none', skin);
    expect(Math.abs(energy + 17.06045322)).toBeLessThan(2e-9);
  });
});
