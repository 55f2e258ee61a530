import { describe, expect, it } from 'vitest';
import { pairTables } from './pairTables.js';

const aa = { types: ['A', 'A'], epsilon: 1, sigma: 1, rcut: 2.5 } as const;
const ab = { types: ['B', 'A'], epsilon: 1.5, sigma: 0.8, rcut: 2 } as const;
const bb = { types: ['B', 'B'], epsilon: 4, sigma: 2, rcut: 3.5 } as const;

describe('pairTables', () => {
  it('gives every pair of types the coefficients of one set', () => {
    const tables = pairTables(['A', 'B'], [{ epsilon: 2, sigma: 3, rcut: 4 }]);
    expect([...tables.epsilon]).toEqual([2, 2, 2, 2]);
    expect(tables.rcutMax).toBe(4);
  });

  it('is symmetric, whatever the order of the two names', () => {
    const tables = pairTables(['A', 'B'], [aa, ab, bb]);
    expect([...tables.sigma]).toEqual([1, 0.8, 0.8, 2]);
    expect([...tables.rcut]).toEqual([2.5, 2, 2, 3.5]);
  });

  it('mixes by Lorentz and Berthelot, but not what is given', () => {
    const mixed = pairTables(['A', 'B'], [aa, bb], 'lorentz_berthelot');
    expect([...mixed.epsilon]).toEqual([1, 2, 2, 4]);
    expect([...mixed.sigma]).toEqual([1, 1.5, 1.5, 2]);
    expect([...mixed.rcut]).toEqual([2.5, 3, 3, 3.5]);
    expect([...pairTables(['A', 'B'], [aa, ab, bb], 'lorentz_berthelot').epsilon]).toEqual([
      1, 1.5, 1.5, 4,
    ]);
  });

  it.each([
    [
      'a missing unlike pair',
      [aa, bb],
      'none',
      'MISSING_PAIR',
      /A-B: add it to pairs, or set mixing/,
    ],
    ['a missing like pair', [aa, ab], 'none', 'MISSING_PAIR', /B-B: add it to pairs$/],
    ['a like pair that mixing needs', [aa], 'lorentz_berthelot', 'MISSING_PAIR', /B-B/],
    [
      'a pair given twice',
      [aa, ab, { ...ab, types: ['A', 'B'] }],
      'none',
      'INVALID_VALUE',
      /twice/,
    ],
    ['an unknown type', [{ ...aa, types: ['A', 'C'] }], 'none', 'UNKNOWN_TYPE', /'C'.*A, B/],
    ['a sigma of 0', [{ ...aa, sigma: 0 }], 'none', 'INVALID_VALUE', /sigma is 0/],
    [
      'an rcut that is no number',
      [{ ...aa, rcut: Number.NaN }],
      'none',
      'INVALID_VALUE',
      /rcut is NaN/,
    ],
  ] as const)('refuses %s', (_, pairs, mixing, code, message) => {
    expect(() => pairTables(['A', 'B'], pairs, mixing)).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
