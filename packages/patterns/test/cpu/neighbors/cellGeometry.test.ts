import { Domain } from '@corpuscle/core';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cellGeometry } from '../../../src/cpu/neighbors/cellGeometry.js';

it('has at most half as many cells as particles, wherever these are', () => {
  const end = fc.oneof(fc.double({ noNaN: true }), fc.constantFrom(0, 1, 1e308, -1e308, 1e200));
  const triple = fc.tuple(end, end, end);
  const side = fc.double({ min: 0.1, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(triple, triple, side, fc.integer({ min: 0, max: 1e6 }), (a, b, length, count) => {
      const domain = Domain.triclinic([length, 0, 0, 0.3 * length, length, 0, 0, 0, 2 * length], {
        origin: [0, 0, 0],
        periodic: [false, false, false],
      });
      const { dims } = cellGeometry(domain, { lower: a, upper: b }, count, 2.8);
      expect(dims.every((n) => Number.isInteger(n) && n >= 1)).toBe(true);
      expect(dims[0] * dims[1] * dims[2]).toBeLessThanOrEqual(Math.max(1, count / 2));
    }),
    { numRuns: 300 },
  );
});
