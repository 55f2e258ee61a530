import { CorpuscleError, type FieldBlock, type Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { SharedArray } from './createArray.js';

/** Pairs without lists: every central particle with every neighbor but itself, once, at its nearest image, for any cutoff. */
export interface AllPairsOptions {
  /** Whether periodic images count. Default true. */
  readonly images?: boolean;
  /** Rows of the particles that receive, all different. Default: all particles. */
  readonly central?: SharedArray;
  /** Rows of the particles they meet, all different. Default: all particles. */
  readonly neighbors?: SharedArray;
  /** The old name of `neighbors`. @deprecated Use `neighbors`. */
  readonly neighbours?: SharedArray;
  /**
   * Lists: central particle k meets `neighbors[starts[k]]` to `neighbors[starts[k + 1] − 1]` alone, but never itself. Ascending.
   */
  readonly starts?: SharedArray;
  /**
   * A u32 field by which `central` and `neighbors` name particles instead of by rows, so that they stay right when particles are
   * sorted. Values that are named belong to one particle each, and lie between 1 and the number of particles.
   */
  readonly labels?: string;
}

/** Pairs of a call, complete. */
export interface AllPairs {
  readonly images: boolean;
  readonly central: SharedArray | null;
  readonly neighbors: SharedArray | null;
  readonly starts: SharedArray | null;
  readonly labels: string | null;
}

/**
 * @throws CorpuscleError WRONG_TYPE for rows that are not u32, INVALID_VALUE for a functor of whole neighborhoods, and for
 *   lists of pairs that are not complete
 */
export function allPairsOf(
  given: boolean | AllPairsOptions | undefined,
  { name: functor, kind }: Pick<Functor, 'name' | 'kind'>,
): AllPairs | null {
  if (given === undefined || given === false) return null;
  if (kind !== 'pair')
    throw new CorpuscleError(
      'INVALID_VALUE',
      `functor '${functor}' looks at whole neighborhoods, which come from lists: remove allPairs`,
    );
  const { images = true, ...sets } = given === true ? {} : given;
  const {
    central = null,
    neighbors = sets.neighbours ?? null,
    starts = null,
    labels = null,
  } = sets;
  for (const [name, rows] of Object.entries({ central, neighbors, starts })) {
    if (rows === null || rows.type === 'u32') continue;
    throw new CorpuscleError(
      'WRONG_TYPE',
      `${name} of functor '${functor}' is an array of ${rows.type}: give rows, made by createArray(ctx, 'u32', length)`,
    );
  }
  if (starts && !(central && neighbors && starts.length === central.length + 1))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `starts of functor '${functor}' has ${starts.length} numbers: give central and neighbors too, and one number more than there are central particles (${central?.length ?? 'none given'})`,
    );
  return { images, central, neighbors, starts, labels };
}

/** The blocks that the rows of a call come from. @throws CorpuscleError WRONG_TYPE for labels that are no u32 of their own. */
export function labelBlocks(grid: Grid, allPairs: AllPairs | null): readonly FieldBlock[] {
  if (!allPairs?.labels) return [];
  const block = grid.block(grid.field(allPairs.labels).block);
  if (block.spec.type !== 'u32' || block.spec.width !== 1)
    throw new CorpuscleError(
      'WRONG_TYPE',
      `labels '${allPairs.labels}' are stored as ${block.spec.type}, ${block.spec.width} numbers a particle: give a u32 field with a block of its own`,
    );
  return [block];
}
