import { CorpuscleError } from '@corpuscle/core';
import type { StillingerWeberEntry } from './stillingerWeberForce.js';

/** Published files give products of two numbers in seven digits. */
const ROUNDING = 1e-5;

/**
 * Strengths that do not depend on the order of particles: A ε of each pair, and λ ε of each triplet. A file may split these
 * products differently for i j k and i k j, and rounds them: the mean is taken.
 *
 * @param all entries of all ordered triplets, at (i · types + j) · types + k
 * @throws CorpuscleError INVALID_VALUE where two orders mean two energies.
 */
export function symmetricTriplets(
  types: readonly string[],
  all: readonly StillingerWeberEntry[],
): { readonly depth: number[]; readonly strength: number[] } {
  const n = types.length;
  const at = (i: number, j: number, k: number): Named => ({
    entry: all[(i * n + j) * n + k]!,
    name: [i, j, k].map((type) => types[type]).join('-'),
  });
  const depth: number[] = [];
  const strength: number[] = [];
  for (let i = 0; i < n; i++)
    for (let j = 0; j < n; j++) {
      const [own, other] = [at(i, j, j), at(j, i, i)];
      requireSame(own, other, ['sigma', 'a', 'B', 'p', 'q', 'tol']);
      depth.push(meanProduct(own, other, 'A'));
      for (let k = 0; k < n; k++) {
        const [one, swapped] = [at(i, j, k), at(i, k, j)];
        requireSame(one, swapped, ['cosTheta0']);
        strength.push(meanProduct(one, swapped, 'lambda'));
      }
    }
  return { depth, strength };
}

interface Named {
  readonly entry: StillingerWeberEntry;
  readonly name: string;
}

function requireSame(a: Named, b: Named, names: readonly (keyof StillingerWeberEntry)[]): void {
  const name = names.find((key) => (a.entry[key] ?? 0) !== (b.entry[key] ?? 0));
  if (name) throw differs(name, a, b, (entry) => Number(entry[name] ?? 0));
}

function meanProduct(a: Named, b: Named, factor: 'A' | 'lambda'): number {
  const product = (entry: StillingerWeberEntry) => entry[factor] * entry.epsilon;
  const [x, y] = [product(a.entry), product(b.entry)];
  if (Math.abs(x - y) > ROUNDING * Math.max(Math.abs(x), Math.abs(y)))
    throw differs(`${factor} epsilon`, a, b, product);
  return (x + y) / 2;
}

const differs = (
  name: string,
  a: Named,
  b: Named,
  value: (entry: StillingerWeberEntry) => number,
): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `${name} is ${value(a.entry)} for ${a.name} and ${value(b.entry)} for ${b.name} (corner first): give both the same number`,
  );
