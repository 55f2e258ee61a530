import type { PlainResults } from '@corpuscle/functor';
import type { Totals } from '../plan/calls.js';

/**
 * Combines the partial results of a reduction, in order of the particles, with the initial values, which count once.
 * Sums are compensated (Neumaier 1974, https://doi.org/10.1002/zamm.19740540106).
 *
 *   partials   [r0 r1 … | r0 r1 … | …]     one row for each PARTIAL particles
 */
export function combinePartials(
  results: PlainResults,
  initial: Readonly<Record<string, number>>,
  partials: Float64Array,
): Totals {
  const names = Object.keys(results);
  const totals: Totals = {};
  names.forEach((name, column) => {
    const op = results[name]!;
    let total = initial[name]!;
    let lost = 0;
    for (let k = column; k < partials.length; k += names.length) {
      const value = partials[k]!;
      if (op === 'sum') {
        const sum = total + value;
        lost += Math.abs(total) >= Math.abs(value) ? total - sum + value : value - sum + total;
        total = sum;
      } else total = Math[op](total, value);
    }
    totals[name] = Number.isFinite(total) && op === 'sum' ? total + lost : total;
  });
  return totals;
}
