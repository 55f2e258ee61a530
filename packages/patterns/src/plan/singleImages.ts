import type { Domain, Grid } from '@corpuscle/core';
import { CorpuscleError } from '@corpuscle/core';

/** The largest cutoff of calls that name pairs by their ids, by grid. */
const cutoffs = new WeakMap<Grid, number>();

/**
 * Notes that a call names pairs of a grid by id, as weights of pairs do: a pair may then have one image within the cutoff
 * only, now and in all boxes to come.
 * @throws CorpuscleError BOX_TOO_THIN
 */
export function needSingleImages(grid: Grid, rcut: number): void {
  cutoffs.set(grid, Math.max(rcut, cutoffs.get(grid) ?? 0));
  checkSingleImages(grid, grid.domain);
}

/**
 * Checks a box for neighbor lists of this cutoff.
 * @throws CorpuscleError BOX_TOO_THIN
 */
export function checkImages(grid: Grid, box: Domain, rcut: number): void {
  box.checkReach(rcut);
  checkSingleImages(grid, box);
}

function checkSingleImages(grid: Grid, box: Domain): void {
  const rcut = cutoffs.get(grid);
  if (rcut === undefined) return;
  try {
    box.checkCutoff(rcut);
  } catch (cause) {
    if (!(cause instanceof CorpuscleError)) throw cause;
    const message = `pairs that are weighted by their ids, as bonds and exclusions are, may have one image within reach only: ${cause.message}`;
    throw new CorpuscleError(cause.code, message, { cause });
  }
}
