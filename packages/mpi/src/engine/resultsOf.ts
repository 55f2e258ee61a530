import { CorpuscleError } from '@corpuscle/core';
import type { Plan, ReduceCall, Totals } from '@corpuscle/patterns';

/** What does not change a result. */
const NEUTRAL: Readonly<Record<string, number>> = { sum: 0, min: Infinity, max: -Infinity };

/** The results of a reduction, and how those of ranks become one. */
export interface JoinedResults {
  readonly names: readonly string[];
  readonly operations: Readonly<Record<string, string>>;
  /** Initial values that change nothing. */
  readonly neutral: Totals;
  /** The results of all ranks, rank after rank, become one, in the order of the ranks. */
  joined(all: Float64Array): Totals;
}

/** @throws CorpuscleError BACKEND_UNAVAILABLE for results that ranks cannot join. */
export function resultsOf({ functor, initial }: Plan<ReduceCall>): JoinedResults {
  const { spec, name } = functor;
  const operations =
    spec.kind === 'reduce' ? (spec.result as Readonly<Record<string, string>>) : {};
  const names = Object.keys(initial);
  const neutral: Totals = {};
  for (const one of names) {
    const value = NEUTRAL[operations[one]!];
    if (value === undefined)
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `ranks cannot join the result ${one} of '${name}' yet: run it on one rank`,
      );
    neutral[one] = value;
  }
  const joined = (all: Float64Array): Totals => {
    const totals: Totals = {};
    names.forEach((one, k) => {
      let value = all[k]!;
      for (let at = k + names.length; at < all.length; at += names.length) {
        const next = all[at]!;
        if (operations[one] === 'sum') value += next;
        else value = operations[one] === 'min' ? Math.min(value, next) : Math.max(value, next);
      }
      totals[one] = value;
    });
    return totals;
  };
  return { names, operations, neutral, joined };
}
