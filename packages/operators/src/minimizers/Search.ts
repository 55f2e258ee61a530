import type { ForceTotals } from '../forces/ForceTerm.js';
import type { SearchVectors } from './SearchVectors.js';

/** When a minimization ends. */
export interface Tolerances {
  /** Relative change of the energy from one iteration to the next; 0 for none. */
  readonly energy: number;
  /** The largest force on a particle. */
  readonly force: number;
  /** Iterations at most. */
  readonly maxSteps: number;
  /** The farthest that a particle goes in one iteration. */
  readonly maxDisplacement: number;
}

/** Why a minimization has ended. `line`: no step along the forces lowers the energy any more, for its last digits. `boxes`: the box has changed often enough. */
export type SearchEnd = 'force' | 'energy' | 'steps' | 'line' | 'boxes';

/** What an iteration has come to. */
export interface SearchProgress {
  /** Iterations so far. */
  steps: number;
  energy: number;
  largestForce: number;
}

/**
 * A minimizer as a generator: it moves the particles, and at each `yield` asks for forces and energy at their new places. The first
 * `next` begins it.
 */
export type Search = AsyncGenerator<void, SearchEnd, ForceTotals>;

/** Makes a search. `progress` is kept up to date. */
export type MakeSearch = (
  vectors: SearchVectors,
  tolerances: Tolerances,
  progress: SearchProgress,
) => Search;
