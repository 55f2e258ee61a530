import { CorpuscleError, type Grid } from '@corpuscle/core';

/** Sets that particles may be in; a particle may be in several. */
export interface ParticleSets {
  /** Names of the sets; they stand for types in `pairs`. */
  readonly names: readonly string[];
  /** Labels are 0 … count − 1. */
  readonly count: number;
  /** The fields that labels are made from, and the labels of all rows. */
  readonly fields: readonly string[];
  of(grid: Grid): ArrayLike<number>;
  /** Whether particles with a label are in a set. */
  has(set: number, label: number): boolean;
}

/** Pairs of sets of particles, and which pairs of labels count for them. Types are sets too: each has one label. */
export class SetPairs {
  /** Names of the two sets of each pair. */
  readonly names: readonly (readonly [string, string])[];
  /** Labels are 0 … labels − 1. */
  readonly labels: number;
  /** A number for each pair of labels that counts for some pair of sets, `kinds[one * labels + other]`; −1 for others. Both orders of two labels have the same. */
  readonly kinds: readonly number[];
  readonly #indices: readonly (readonly [number, number])[];
  readonly #has: (set: number, label: number) => boolean;

  /**
   * @param pairs of sets; default: all.
   * @throws CorpuscleError UNKNOWN_TYPE
   */
  constructor({
    types,
    sets,
    pairs,
  }: {
    readonly types: readonly string[];
    readonly sets?: ParticleSets | undefined;
    readonly pairs?: readonly (readonly [string, string])[];
  }) {
    const names = sets?.names ?? types;
    this.names = pairs ?? allPairsOf(names);
    this.labels = sets?.count ?? names.length;
    this.#indices = this.names.map(([one, two]) => [indexOf(names, one), indexOf(names, two)]);
    this.#has = sets ? (set, label) => sets.has(set, label) : (set, label) => set === label;
    this.kinds = this.#findKinds();
  }

  /** How often a pair of labels counts for pair n: either of the two may be at the center. */
  weight(n: number, one: number, other: number): number {
    const [a, b] = this.#indices[n]!;
    const side = (p: number, q: number) => (this.#has(a, p) && this.#has(b, q) ? 1 : 0);
    return side(one, other) + side(other, one);
  }

  /** Particles in the first set of pair n, in the second and in both. @param numbers of particles by label */
  sizes(n: number, numbers: ArrayLike<number>): { first: number; second: number; both: number } {
    const [a, b] = this.#indices[n]!;
    const sizes = { first: 0, second: 0, both: 0 };
    for (let label = 0; label < this.labels; label++) {
      const isFirst = this.#has(a, label);
      const isSecond = this.#has(b, label);
      if (isFirst) sizes.first += numbers[label]!;
      if (isSecond) sizes.second += numbers[label]!;
      if (isFirst && isSecond) sizes.both += numbers[label]!;
    }
    return sizes;
  }

  #findKinds(): number[] {
    const { labels } = this;
    const kinds = new Array<number>(labels * labels).fill(-1);
    let next = 0;
    for (let one = 0; one < labels; one++)
      for (let other = one; other < labels; other++) {
        if (!this.names.some((_, n) => this.weight(n, one, other) > 0)) continue;
        kinds[one * labels + other] = kinds[other * labels + one] = next++;
      }
    return kinds;
  }
}

const allPairsOf = (types: readonly string[]): (readonly [string, string])[] =>
  types.flatMap((a, k) => types.slice(k).map((b) => [a, b] as const));

function indexOf(types: readonly string[], name: string): number {
  const index = types.indexOf(name);
  if (index >= 0) return index;
  throw new CorpuscleError(
    'UNKNOWN_TYPE',
    `there is no particle type '${name}'; there are ${types.join(', ')}`,
  );
}
