import { CorpuscleError } from '@corpuscle/core';
import type { Adaptation } from './Adaptation.js';
import {
  add,
  assign,
  compare,
  declare,
  field,
  item,
  leaveIf,
  read,
  real,
  variable,
  whole,
} from './build.js';

/** What a pair of particles counts: 0 not at all, 1 in full. */
export interface PairWeight {
  readonly ids: readonly [number, number];
  readonly weight: number;
}

/** Weights of pairs by id, as pattern calls take them. Made by `pairWeights`. */
export interface PairWeights {
  readonly count: number;
  /** Partners of id k: first[k] … first[k + 1] − 1. */
  readonly first: ArrayLike<number>;
  readonly partner: ArrayLike<number>;
  readonly weight: ArrayLike<number>;
  readonly onlyExclusions: boolean;
  /** The weight of every other pair. */
  readonly others: number;
}

const NONE = [{ id: 0, weight: 0 }];

/** Ids up to which a table of them is made. */
const MOST = 2 ** 26;

/**
 * Weights of pairs, for exclusions and scalings along bonds.
 *
 * @param others weight of the pairs that are not named; 0: only those named count
 * @throws CorpuscleError INVALID_VALUE for a pair of a particle with itself, a pair given twice, ids that are too large.
 * @example
 * const weights = pairWeights([{ ids: [1, 2], weight: 0 }, { ids: [1, 3], weight: 0.5 }]);
 * computeCellParticlePairs(grid, lennardJones, ctx, { rcut, params, weights });
 */
export function pairWeights(entries: readonly PairWeight[], others = 1): PairWeights {
  const fail = (message: string): never => {
    throw new CorpuscleError('INVALID_VALUE', message);
  };
  let highest = -1;
  const seen = new Set<string>();
  for (const { ids, weight } of entries) {
    const [a, b] = ids;
    for (const id of ids) {
      if (!(Number.isInteger(id) && id >= 0 && id < MOST))
        fail(
          `the weight of ${a} and ${b} names id ${id}: give whole numbers from 0 to ${MOST - 1}`,
        );
      highest = Math.max(highest, id);
    }
    if (a === b) fail(`the weight of ${a} and ${b} is of a particle with itself: remove it`);
    if (!Number.isFinite(weight)) fail(`the weight of ${a} and ${b} is ${weight}: give a number`);
    const key = a < b ? `${a} ${b}` : `${b} ${a}`;
    if (seen.has(key)) fail(`the weight of ${a} and ${b} is given twice: remove one`);
    seen.add(key);
  }
  const lists: { id: number; weight: number }[][] = Array.from({ length: highest + 1 }, () => []);
  for (const {
    ids: [a, b],
    weight,
  } of entries) {
    lists[a]!.push({ id: b, weight });
    lists[b]!.push({ id: a, weight });
  }
  const first = [0];
  for (const list of lists) first.push(first.at(-1)! + list.length);
  const all = lists.flat();
  return {
    count: entries.length,
    // An id beyond the table reads its last number twice: no partners.
    first: Uint32Array.from(first),
    // Tables have a number at least; without pairs nothing reads it.
    partner: Uint32Array.from(all.length > 0 ? all : NONE, ({ id }) => id),
    weight: Float64Array.from(all.length > 0 ? all : NONE, ({ weight }) => weight),
    onlyExclusions: others === 1 && entries.every(({ weight }) => weight === 0),
    others,
  };
}

/** @param own the functor reads the weight itself, as `d.weight`; nothing is multiplied or left out for it. */
export function weighting(weights: PairWeights, own: boolean): Adaptation {
  const { first, partner, weight, onlyExclusions, others } = weights;
  const leaves = onlyExclusions && !own;
  return {
    key: `weights ${leaves} ${own} ${others}`,
    central: { id: 'u32' },
    neighbor: { id: 'u32' },
    params: {
      opt_first: 'u32[]',
      opt_partner: 'u32[]',
      ...(leaves ? {} : { opt_weight: 'real[]' }),
    },
    values: { opt_first: first, opt_partner: partner, ...(leaves ? {} : { opt_weight: weight }) },
    symmetric: true,
    statements() {
      const [k, last, w] = [variable('K', 'u32'), variable('Last', 'u32'), variable('W', 'real')];
      const id = field('i', 'id', 'u32');
      const found = compare('==', item('opt_partner', read(k), 'u32'), field('j', 'id', 'u32'));
      const body = leaves
        ? leaveIf(found)
        : ({
            kind: 'if',
            condition: found,
            then: [assign(w, item('opt_weight', read(k), 'real'))],
            else: [],
          } as const);
      return {
        before: [
          ...(leaves ? [] : [declare(w, real(others))]),
          declare(k, item('opt_first', id, 'u32')),
          declare(last, item('opt_first', add(id, whole(1)), 'u32')),
          // Most particles have no pairs of their own.
          ...(others === 0 && !own ? [leaveIf(compare('==', read(k), read(last)))] : []),
          {
            kind: 'loop',
            condition: compare('<', read(k), read(last)),
            body: [body],
            update: [assign(k, add(read(k), whole(1)))],
          },
          ...(leaves || own ? [] : [leaveIf(compare('==', read(w), real(0)))]),
        ],
        ...(leaves ? {} : { weight: read(w) }),
      };
    },
  };
}
