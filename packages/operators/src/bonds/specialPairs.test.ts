import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Bond, BondedScaling } from './Bonds.js';
import { specialPairs } from './specialPairs.js';

/** Bonds between every two particles, by Floyd and Warshall's algorithm. */
function distances(particles: number, bonds: readonly Bond[]): number[][] {
  const d = Array.from({ length: particles }, (_, i) =>
    Array.from({ length: particles }, (_, j) => (i === j ? 0 : Number.POSITIVE_INFINITY)),
  );
  for (const { ids } of bonds) d[ids[0]]![ids[1]] = d[ids[1]]![ids[0]] = 1;
  for (let k = 0; k < particles; k++)
    for (const row of d)
      for (let j = 0; j < particles; j++) row[j] = Math.min(row[j]!, row[k]! + d[k]![j]!);
  return d;
}

it('weighs the pairs that shortest ways along bonds say, each once', () => {
  const particles = 7;
  const id = fc.nat(particles - 1);
  const bond = fc
    .tuple(id, id)
    .filter(([a, b]) => a !== b)
    .map((ids): Bond => ({ ids }));
  const weight = fc.constantFrom(0, 0.5, 1);
  fc.assert(
    fc.property(
      fc.uniqueArray(bond, { maxLength: 10, selector: ({ ids }) => [...ids].sort().join() }),
      fc.tuple(weight, weight, weight),
      (bonds, scaling: BondedScaling) => {
        const d = distances(particles, bonds);
        const expected: string[] = [];
        for (let a = 0; a < particles; a++)
          for (let b = a + 1; b < particles; b++) {
            const weight = scaling[d[a]![b]! - 1] ?? 1;
            if (weight !== 1) expected.push(`${a}-${b}: ${weight}`);
          }
        const found = specialPairs(bonds, scaling).map(
          ({ ids: [a, b], weight }) => `${Math.min(a, b)}-${Math.max(a, b)}: ${weight}`,
        );
        expect(found.sort()).toEqual(expected.sort());
      },
    ),
  );
});
