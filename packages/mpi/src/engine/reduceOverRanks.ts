import type { HostEngine, ReduceCall, Totals } from '@corpuscle/patterns';
import type { Communicator } from '../communicator/Communicator.js';
import { exactSums } from './exactSums.js';
import { resultsOf } from './resultsOf.js';
import type { Terms } from './Terms.js';

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
  const { names, operations, neutral, joined } = resultsOf(call);
  const isFirst = communicator.rank === 0;
  const own = { ...call, initial: isFirst ? call.initial : neutral, asynchronous: false };
  const part = engine.prepareReduction(own).run(own).value;
  const totals = joined(communicator.gather(Float64Array.from(names, (one) => part[one]!)));
  const sums = terms ? names.filter((one) => operations[one] === 'sum') : [];
  const columns = sums.length > 0 ? terms!.of(engine, call, sums) : null;
  if (columns)
    exactSums(communicator, columns).forEach((sum, k) => {
      totals[sums[k]!] = call.initial[sums[k]!]! + sum;
    });
  return totals;
}
