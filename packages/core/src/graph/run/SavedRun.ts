import { CorpuscleError } from '@corpuscle/functor/error';
import type { Saved } from '../../checkpoint/Saved.js';

/** How far a run has come and what its operators keep. Operators are numbered as they stand in the graph, from 0. */
export type SavedRun = {
  readonly step: number;
  readonly time: number;
  /** Items of the batches around the operator that saves, from the outermost: it is the last of them. */
  readonly path: readonly number[];
  /** Passes done of each of these batches. */
  readonly passes: readonly number[];
  /** Operators that have been called, in the order of their first calls, and what each of them saved. */
  readonly called: readonly number[];
  readonly operators: readonly Saved[];
  /** Operators that run in every pass and have run. */
  readonly settled: readonly number[];
  /** Values of outputs, in the order of the graph. */
  readonly outputs: readonly Saved[];
  /** What the operators share, by the keeper. */
  readonly shared: Saved;
};

/**
 * Saved data as a run, with sound numbers.
 * @throws CorpuscleError FILE_FORMAT
 */
export function savedRunOf(saved: Saved): SavedRun {
  const run = (saved ?? {}) as Partial<SavedRun>;
  const { step, time, path, passes, called, operators, settled, outputs } = run;
  const isSound =
    Number.isSafeInteger(step) &&
    Number.isFinite(time) &&
    [path, passes, called, settled].every(areCounts) &&
    path!.length > 0 &&
    path!.length === passes!.length &&
    Array.isArray(operators) &&
    operators.length === called!.length &&
    Array.isArray(outputs);
  if (isSound) return run as SavedRun;
  throw new CorpuscleError('FILE_FORMAT', 'the checkpoint does not say where the run was');
}

const areCounts = (values: unknown): boolean =>
  Array.isArray(values) && values.every((value) => Number.isSafeInteger(value) && value >= 0);
