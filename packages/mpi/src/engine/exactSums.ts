import type { Communicator } from '../communicator/Communicator.js';

/** Parts of a number that are added up apart. With three, what is left out is below the last digit of a sum of 10⁸ numbers. */
const PARTS = 3;

/**
 * Sums of columns over all ranks, in bits that depend neither on the order of the numbers nor on how ranks share them (Demmel and
 * Nguyen, IEEE Trans. Comput. 64, 2060, 2015). Each number is cut into parts that are multiples of a common unit, so that parts add up
 * without rounding:
 *
 *   number  =  part · unit₁  +  part · unit₂  +  part · unit₃  +  what is left out
 *
 * @param columns of this rank, all of one length; as many on every rank
 * @returns a sum for each column; NaN if one of its numbers is NaN or infinite
 */
export function exactSums(
  communicator: Communicator,
  columns: readonly Float64Array[],
): Float64Array {
  const { length } = columns;
  const sizes = [columns[0]?.length ?? 0, ...columns.map(largest)];
  const all = communicator.gather(Float64Array.from(sizes));
  const bounds = new Float64Array(length);
  let count = 0;
  for (let from = 0; from < all.length; from += length + 1) {
    count += all[from]!;
    for (let k = 0; k < length; k++) bounds[k] = Math.max(bounds[k]!, all[from + 1 + k]!);
  }
  const room = Math.ceil(Math.log2(count)) + 2;
  const parts = new Float64Array(PARTS * length);
  columns.forEach((column, k) => {
    parts.set(partsOf(column, bounds[k]!, room), PARTS * k);
  });
  const sums = communicator.sum(parts);
  return bounds.map((bound, k) =>
    Number.isFinite(bound)
      ? sums.subarray(PARTS * k, PARTS * (k + 1)).reduce((sum, part) => sum + part)
      : Number.NaN,
  );
}

const largest = (column: Float64Array): number =>
  column.reduce((most, x) => Math.max(most, Math.abs(x)), 0);

/** Sums of the parts, none of which is rounded. @param room bits that as many numbers may carry over */
function partsOf(column: Float64Array, bound: number, room: number): Float64Array {
  const sums = new Float64Array(PARTS);
  if (bound === 0 || !Number.isFinite(bound)) return sums;
  let exponent = Math.ceil(Math.log2(bound)) + room;
  const rest = column.slice();
  for (let part = 0; part < PARTS; part++, exponent += room - 52) {
    const unit = 2 ** exponent;
    let sum = 0;
    for (let row = 0; row < rest.length; row++) {
      const x = rest[row]!;
      const cut = x + unit - unit; // rounded to a multiple of unit · 2⁻⁵³
      sum += cut;
      rest[row] = x - cut;
    }
    sums[part] = sum;
  }
  return sums;
}
