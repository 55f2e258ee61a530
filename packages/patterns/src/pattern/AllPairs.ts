import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '../functor/Functor.js';
import type { SharedArray } from './createArray.js';

/**
 * Pairs without lists: every central particle with every neighbour but itself, each pair once, at its nearest image in
 * any box, however long the cutoff is.
 */
export interface AllPairsOptions {
  /** Whether periodic images count. Default true. */
  readonly images?: boolean;
  /** Rows of the particles that receive, all different. Default: all particles. */
  readonly central?: SharedArray;
  /** Rows of the particles they meet, all different. Default: all particles. */
  readonly neighbours?: SharedArray;
}

/** Pairs of a call, complete. */
export interface AllPairs {
  readonly images: boolean;
  readonly central: SharedArray | null;
  readonly neighbours: SharedArray | null;
}

/** @throws CorpuscleError WRONG_TYPE for rows that are not u32, INVALID_VALUE for a functor of whole neighbourhoods. */
export function allPairsOf(
  given: boolean | AllPairsOptions | undefined,
  { name: functor, kind }: Pick<Functor, 'name' | 'kind'>,
): AllPairs | null {
  if (given === undefined || given === false) return null;
  if (kind !== 'pair')
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor}' looks at whole neighbourhoods, which come from lists: remove allPairs`,
    );
  const { images = true, central = null, neighbours = null } = given === true ? {} : given;
  for (const [name, rows] of Object.entries({ central, neighbours })) {
    if (rows === null || rows.type === 'u32') continue;
    throw new CorpuscleError(
      'WRONG_TYPE',
      `${name} of functor '${functor}' is an array of ${rows.type}: give rows, made by createArray(ctx, 'u32', length)`,
    );
  }
  return { images, central, neighbours };
}
