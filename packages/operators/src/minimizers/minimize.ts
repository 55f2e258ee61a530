import type { Grid } from '@corpuscle/core';
import { type ExecutionContext, updateNeighbors } from '@corpuscle/patterns';
import type { BoxCoupling } from '../box/coupling.js';
import { setBox } from '../box/setBox.js';
import { ForceLedger } from '../forces/ForceLedger.js';
import type { ForceTerm, ForceTotals } from '../forces/ForceTerm.js';
import { reachOf } from '../forces/reachOf.js';
import { checkOverlap } from '../system/checkOverlap.js';
import { conjugateGradient, steepestDescent } from './conjugateGradient.js';
import { fire } from './fire.js';
import { type RelaxedBox, relaxBox } from './relaxBox.js';
import type { MakeSearch, Search, SearchEnd, SearchProgress, Tolerances } from './Search.js';
import { SearchVectors } from './SearchVectors.js';

/** FIRE 2.0, conjugate gradients of Polak and Ribière, steepest descent. */
export type MinimizerStyle = 'fire' | 'cg' | 'sd';

/** How particles are minimized; numbers are in simulation units. */
export interface MinimizeOptions {
  readonly style?: MinimizerStyle;
  /** Ends when the energy changes by less than this part of it in an iteration. Default 0: never for that. */
  readonly energyTolerance?: number;
  /** Ends when no force is larger. */
  readonly forceTolerance: number;
  /** Iterations at most. Default 10,000. */
  readonly maxSteps?: number;
  /** The farthest that a particle goes in an iteration. Default: a fiftieth of the largest cutoff. */
  readonly maxDisplacement?: number;
  /** Relaxes the box to this pressure. Default: the box stays. */
  readonly pressure?: number;
  /** What relaxes: the size of the box, its three lengths, or lengths and tilts. Default: `iso`. */
  readonly coupling?: BoxCoupling;
}

/** What a minimization has come to. */
export interface MinimizeResult {
  /** Why it ended. */
  readonly end: SearchEnd;
  readonly energy: number;
  readonly largestForce: number;
  /** Iterations, and how often forces were computed. */
  readonly steps: number;
  readonly evaluations: number;
}

const styles: Readonly<Record<MinimizerStyle, MakeSearch>> = {
  fire,
  cg: conjugateGradient,
  sd: steepestDescent,
};

/** Makes the search of some options. @param box what is relaxed with the particles, where a pressure is given */
export function makeSearch(
  vectors: SearchVectors,
  options: MinimizeOptions,
  { rcut, box }: { readonly rcut: number; readonly box: RelaxedBox },
  progress: SearchProgress,
): Search {
  const make = styles[options.style ?? 'cg'];
  const tolerances: Tolerances = {
    energy: options.energyTolerance ?? 0,
    force: options.forceTolerance,
    maxSteps: options.maxSteps ?? 10_000,
    maxDisplacement: options.maxDisplacement ?? (rcut > 0 ? rcut / 50 : 0.1),
  };
  const { pressure, coupling = 'iso' } = options;
  return pressure === undefined
    ? make(vectors, tolerances, progress)
    : relaxBox(make, vectors, tolerances, progress, { box, pressure, coupling });
}

/** Lists that last for several evaluations. */
function listsFor(forces: readonly ForceTerm[]): { readonly rcut: number; readonly skin: number } {
  const rcut = reachOf(forces);
  return { rcut, skin: 0.1 * rcut };
}

/**
 * Moves the particles of a grid to a minimum of their energy near where they are, and the box to a pressure if one is given.
 *
 * @throws CorpuscleError BOX_TOO_THIN, OVERLAP; INVALID_VALUE for a box that cannot follow the coupling
 * @example
 * const { energy } = await minimize(grid, ctx, [lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 })], {
 *   style: 'fire', forceTolerance: 1e-8,
 * });
 */
export async function minimize(
  grid: Grid,
  ctx: ExecutionContext,
  forces: readonly ForceTerm[],
  options: MinimizeOptions,
): Promise<MinimizeResult> {
  const rcut = reachOf(forces);
  const ledger = new ForceLedger(grid, ctx);
  const progress: SearchProgress = { steps: 0, energy: 0, largestForce: 0 };
  let evaluations = 0;
  const evaluate = async (): Promise<ForceTotals> => {
    const known = listsFor(forces);
    if (known.rcut > 0) await updateNeighbors(grid, ctx, known);
    if (evaluations++ === 0 && known.rcut > 0) await checkOverlap(grid, ctx, known.rcut);
    for (const term of forces) await term.before?.(grid, ctx, known);
    const needed = listsFor(forces);
    if (needed.rcut > known.rcut) await updateNeighbors(grid, ctx, needed);
    ledger.begin({ totals: true });
    for (const term of forces) ledger.add(term);
    return ledger.totals();
  };
  const box: RelaxedBox = {
    get domain() {
      return grid.wholeDomain;
    },
    set: (domain) => setBox(grid, ctx, domain, 'positions'),
  };
  try {
    const search = makeSearch(new SearchVectors(grid, ctx), options, { rcut, box }, progress);
    let found = await search.next({ energy: 0, virial: [0, 0, 0, 0, 0, 0] });
    while (!found.done) found = await search.next(await evaluate());
    return { end: found.value, evaluations, ...progress };
  } finally {
    ledger.close();
  }
}
