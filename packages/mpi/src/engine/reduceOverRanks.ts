import { CorpuscleError } from '@corpuscle/core';
import type { HostEngine, ReduceCall, Totals } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { exactSums } from './exactSums.js';
import type { Terms } from './Terms.js';

/** What does not change a result. */
const NEUTRAL: Readonly<Record<string, number>> = { sum: 0, min: Infinity, max: -Infinity };

/**
 * Sums, minima and maxima over the particles of all ranks; initial values count once.
 * @param terms gives what each particle adds, where bits must not depend on the number of ranks
 */
export function reduceOverRanks(
  engine: HostEngine,
  communicator: Communicator,
  call: ReduceCall,
  terms: Terms | null,
): Totals {
  const { spec, name } = call.functor;
  const operations =
    spec.kind === 'reduce' ? (spec.result as Readonly<Record<string, string>>) : {};
  const names = Object.keys(call.initial);
  const neutral: Record<string, number> = {};
  for (const one of names) {
    const value = NEUTRAL[operations[one]!];
    if (value === undefined)
      throw new CorpuscleError(
        'BACKEND_UNAVAILABLE',
        `ranks cannot join the result ${one} of '${name}' yet: run it on one rank`,
      );
    neutral[one] = value;
  }
  const isFirst = communicator.rank === 0;
  const own = { ...call, initial: isFirst ? call.initial : neutral, asynchronous: false };
  const part = engine.prepareReduction(own).run(own).value;
  const all = communicator.gather(Float64Array.from(names, (one) => part[one]!));
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
  const sums = terms ? names.filter((one) => operations[one] === 'sum') : [];
  const columns = sums.length > 0 ? terms!.of(engine, call, sums) : null;
  if (columns)
    exactSums(communicator, columns).forEach((sum, k) => {
      totals[sums[k]!] = call.initial[sums[k]!]! + sum;
    });
  return totals;
}
