import { dimensions } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { buckingham } from '../buckingham/buckingham.js';
import { morse } from '../morse/morse.js';
import { yukawa } from '../yukawa/yukawa.js';
import { definePairPotential } from './definePairPotential.js';

const aa = { types: ['A', 'A'] as [string, string], D: 1, alpha: 2, r0: 1, rcut: 2.5 };
const energy = { dimension: dimensions.energy, doc: 'a number' };

describe('potentials at a distance', () => {
  it('Morse has depth D and no force at r0', () => {
    expect(morse.energy(1.1, 3, 5, 1.1)).toBe(-3);
    expect(morse.force(1.1, 3, 5, 1.1)).toBe(0);
    // D (x² − 2x) and 2 D alpha (x² − x) at x = e
    const x = Math.E;
    expect(morse.energy(1, 3, 5, 1.2)).toBeCloseTo(3 * (x * x - 2 * x), 12);
    expect(morse.force(1, 3, 5, 1.2)).toBeCloseTo(30 * (x * x - x), 11);
  });

  it('Buckingham is exponential repulsion less dispersion', () => {
    expect(buckingham.energy(2, Math.E, 2, 64)).toBeCloseTo(1 - 1, 14);
    expect(buckingham.force(2, Math.E, 2, 64)).toBeCloseTo(0.5 - 3, 14);
  });

  it('Yukawa without screening is Coulomb', () => {
    expect(yukawa.energy(2, 3, 0)).toBe(1.5);
    expect(yukawa.force(2, 3, 0)).toBe(0.75);
    expect(yukawa.force(2, 3, 0.5)).toBeCloseTo(3 * Math.exp(-1) * (0.5 / 2 + 1 / 4), 14);
  });
});

describe('definePairPotential', () => {
  it('takes the largest cutoff of all pairs', () => {
    const pairs = [
      aa,
      { ...aa, types: ['A', 'B'] as const, rcut: 4 },
      { ...aa, types: ['B', 'B'] as const },
    ];
    expect(morse.term({ types: ['A', 'B'], pairs }).rcut).toBe(4);
    expect(morse.term({ types: ['A', 'B'], D: 1, alpha: 2, r0: 1, rcut: 3 }).rcut).toBe(3);
  });

  it.each([
    ['a missing pair', { pairs: [aa] }, 'MISSING_PAIR', /A-B: add it to pairs$/],
    [
      'an unknown type',
      { pairs: [{ ...aa, types: ['A', 'C'] as [string, string] }] },
      'UNKNOWN_TYPE',
      /'C'/,
    ],
    ['a pair given twice', { pairs: [aa, aa] }, 'INVALID_VALUE', /A-A is given twice/],
    [
      'a depth below 0',
      { pairs: [{ ...aa, D: -1 }] },
      'INVALID_VALUE',
      /D is -1: give a number at least 0/,
    ],
    ['a width of 0', { D: 1, alpha: 0, r0: 1, rcut: 2 }, 'INVALID_VALUE', /alpha is 0.*above 0/],
    [
      'a cutoff that is no number',
      { D: 1, alpha: 1, r0: 1, rcut: Number.NaN },
      'INVALID_VALUE',
      /rcut is NaN/,
    ],
  ] as const)('refuses %s', (_, options, code, message) => {
    expect(() => morse.term({ types: ['A', 'B'], ...options })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });

  it('refuses functions that use what is outside of them', () => {
    const outside = 2;
    const make = () =>
      definePairPotential({
        name: 'captured',
        doc: '',
        coefficients: { k: energy },
        energy: (r, k) => outside * k * r,
        force: (_r, k) => k,
      });
    expect(make).toThrow(
      expect.objectContaining({
        code: 'FUNCTOR_NAME',
        message: expect.stringMatching(
          /definePairPotential\.test\.ts.*'outside'.*make it a coefficient/,
        ),
        location: expect.objectContaining({
          file: expect.stringMatching(/definePairPotential\.test\.ts$/),
          frame: expect.stringContaining('outside * k'),
        }),
      }),
    );
  });

  it('refuses more than six coefficients, and none', () => {
    const make = (count: number) => () =>
      definePairPotential({
        name: 'many',
        doc: '',
        coefficients: Object.fromEntries(
          Array.from({ length: count }, (_, k) => [`c${k}`, energy]),
        ),
        energy: (_r, a) => a!,
        force: () => 0,
      });
    expect(make(7)).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }));
    expect(make(0)).toThrow(expect.objectContaining({ code: 'INVALID_VALUE' }));
  });
});
