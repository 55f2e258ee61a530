import fc from 'fast-check';
import { expect, it } from 'vitest';
import { idNumbers, orderOfIds } from '../../src/grid/Grid.js';

const ids = fc.uniqueArray(fc.bigInt({ min: 0n, max: BigInt(Number.MAX_SAFE_INTEGER) }), {
  maxLength: 40,
});

it('ids become the same numbers as one by one', () => {
  fc.assert(
    fc.property(ids, fc.nat(5), (all, more) => {
      const memory = BigUint64Array.from([7n, ...all, ...Array(more).fill(9n)]).subarray(1);
      expect([...idNumbers(memory, all.length)]).toEqual(all.map(Number));
    }),
  );
});

it('ids are ordered, with gaps and without', () => {
  fc.assert(
    fc.property(ids, (all) => {
      const order = orderOfIds(BigUint64Array.from(all), all.length);
      const sorted = [...all].sort((a, b) => (a < b ? -1 : 1));
      expect([...order].map((row) => all[row])).toEqual(sorted);
      const close = all.map((_, k) => BigInt(all.length - k + 3));
      expect([...orderOfIds(BigUint64Array.from(close), close.length)]).toEqual(
        close.map((_, k) => close.length - 1 - k),
      );
    }),
  );
});
