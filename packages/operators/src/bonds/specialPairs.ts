import type { PairWeight } from '@corpuscle/patterns';
import type { Bond, BondedScaling } from './Bonds.js';

/**
 * The pairs that count otherwise than in full, because they are one, two or three bonds apart. In rings the shortest way
 * counts.
 *
 * @example
 * specialPairs([{ ids: [1, 2] }, { ids: [2, 3] }], [0, 0.5, 1]); // 1-2 and 2-3 with 0, 1-3 with 0.5
 */
export function specialPairs(bonds: readonly Bond[], scaling: BondedScaling): PairWeight[] {
  const partners = new Map<number, Set<number>>();
  const join = (a: number, b: number) => {
    const known = partners.get(a);
    if (known) known.add(b);
    else partners.set(a, new Set([b]));
  };
  for (const { ids } of bonds) {
    join(ids[0], ids[1]);
    join(ids[1], ids[0]);
  }
  const reach = scaling.findLastIndex((weight) => weight !== 1) + 1;
  const weights: PairWeight[] = [];
  for (const start of partners.keys()) {
    // A way back to `start` adds nothing: pairs are given by their lower id.
    const seen = new Set<number>();
    let front = [start];
    for (let distance = 0; distance < reach; distance++) {
      const next = new Set<number>();
      for (const at of front) for (const id of partners.get(at)!) if (!seen.has(id)) next.add(id);
      for (const id of next) {
        seen.add(id);
        if (start < id && scaling[distance] !== 1)
          weights.push({ ids: [start, id], weight: scaling[distance]! });
      }
      front = [...next];
    }
  }
  return weights;
}
