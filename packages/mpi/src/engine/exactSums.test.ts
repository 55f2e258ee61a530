import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Communicator } from '../communicator/Communicator.js';
import { exactSums } from './exactSums.js';

/** What each of several ranks gets, each with its own columns: they are called in turn, as far as they can go. */
function onRanks(columns: readonly (readonly Float64Array[])[]): Float64Array[] {
  const known: Float64Array[][] = [];
  class Waits extends Error {}
  const call = (own: readonly Float64Array[], rank: number): Float64Array | null => {
    let turn = 0;
    const gather = (numbers: Float64Array): Float64Array => {
      const given = known[turn++];
      if (given?.length === columns.length)
        return Float64Array.from(given.flatMap((one) => [...one]));
      known[turn - 1] ??= [];
      known[turn - 1]![rank] = numbers;
      throw new Waits();
    };
    const sum = (numbers: Float64Array): Float64Array => {
      const all = gather(numbers);
      return numbers.map((_, k) => {
        let total = 0;
        for (let at = k; at < all.length; at += numbers.length) total += all[at]!;
        return total;
      });
    };
    try {
      return exactSums({ gather, sum } as Communicator, own);
    } catch (error) {
      if (error instanceof Waits) return null;
      throw error;
    }
  };
  for (;;) {
    const results = columns.map(call);
    if (results.every((result) => result !== null)) return results;
  }
}

/** A sum in whole multiples of 2⁻¹⁰⁷⁴, rounded once. */
function roundedSum(numbers: readonly number[]): number {
  const view = new DataView(new ArrayBuffer(8));
  let sum = 0n;
  for (const number of numbers) {
    view.setFloat64(0, number);
    const bits = view.getBigUint64(0);
    const exponent = (bits >> 52n) & 2047n;
    const fraction = bits & (2n ** 52n - 1n);
    const size = exponent === 0n ? fraction : (fraction | (2n ** 52n)) << (exponent - 1n);
    sum += number < 0 ? -size : size;
  }
  // The upper 64 bits are exact enough for one rounding, but where what is cut off decides a tie.
  const length = (sum < 0n ? -sum : sum).toString(2).length;
  const cut = BigInt(Math.max(0, length - 64));
  return Number(sum >> cut) * 2 ** (Number(cut) - 537) * 2 ** -537;
}

const numbers = fc.array(
  fc
    .tuple(fc.double({ min: -1, max: 1, noNaN: true }), fc.integer({ min: -30, max: 30 }))
    .map(([x, e]) => x * 2 ** e),
  { maxLength: 60 },
);

it('sums have the same bits wherever numbers are, and are right to the last digit but one', () => {
  fc.assert(
    fc.property(numbers, numbers, fc.array(fc.nat(4), { maxLength: 60 }), (a, b, owners) => {
      const length = Math.min(a.length, b.length);
      const [one, other] = [a.slice(0, length), b.slice(0, length)];
      const shareOf = (all: readonly number[], rank: number) =>
        Float64Array.from(all.filter((_, k) => (owners[k] ?? 0) === rank).reverse());
      const [alone] = onRanks([[Float64Array.from(one), Float64Array.from(other)]]);
      const shared = onRanks(
        [0, 1, 2, 3, 4].map((rank) => [shareOf(one, rank), shareOf(other, rank)]),
      );
      for (const sums of shared) expect(sums).toEqual(alone);
      for (const [k, column] of [one, other].entries()) {
        const known = roundedSum(column);
        expect(Math.abs(alone![k]! - known)).toBeLessThanOrEqual(2 ** -52 * Math.abs(known));
      }
    }),
  );
});

it('a sum with NaN or an infinity is NaN', () => {
  const [sums] = onRanks([[Float64Array.of(1, Number.NaN), Float64Array.of(1, Infinity)]]);
  expect(sums).toEqual(Float64Array.of(Number.NaN, Number.NaN));
});
