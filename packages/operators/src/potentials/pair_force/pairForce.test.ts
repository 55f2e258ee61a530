import { dimensions } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { definePairPotential } from '../pair/definePairPotential.js';
import type { PairUse } from './PairUse.js';
import { pairForce } from './pairForce.js';

const types = ['A', 'B'];
const aa = { types: ['A', 'A'], use: 'lennard_jones', epsilon: 1, sigma: 1, rcut: 2.5 } as const;
const bb = { ...aa, types: ['B', 'B'] } as const;
const ab = { types: ['A', 'B'], use: 'morse', D: 1, alpha: 5, r0: 1, rcut: 3 } as const;
const charges = { use: 'coulomb_dsf', alpha: 0.5, rcut: 4 } as const;

describe('pairForce', () => {
  it('takes the largest cutoff of all potentials', () => {
    expect(pairForce({ types, pairs: [aa, ab, bb] }).rcut).toBe(3);
    expect(pairForce({ types, pairs: [aa, ab, bb, charges] }).rcut).toBe(4);
    const wca = { use: 'wca', epsilon: 1, sigma: 1 };
    expect(pairForce({ types, pairs: [wca] }).rcut).toBe(2 ** (1 / 6));
  });

  it('takes potentials of your own', () => {
    const spring = definePairPotential({
      name: 'spring',
      doc: '',
      coefficients: { k: { dimension: dimensions.stiffness, doc: '' } },
      energy: (r, k) => 0.5 * k * r * r,
    });
    const pairs = [{ use: 'spring', k: 2, rcut: 1.5 }];
    expect(pairForce({ types, pairs, potentials: [spring] }).rcut).toBe(1.5);
    expect(() => pairForce({ types, pairs })).toThrow(/no potential 'spring': use one of lennard/);
  });

  it.each<[string, readonly PairUse[], object, string, RegExp]>([
    ['a missing pair', [aa, bb], {}, 'MISSING_PAIR', /pair A-B: add it to pairs .*or set mixing$/],
    ['a missing like pair', [aa, ab], {}, 'MISSING_PAIR', /pair B-B: add it/],
    [
      'different potentials that shall mix',
      [aa, { ...ab, types: ['B', 'B'] }],
      { mixing: 'geometric' },
      'MISSING_PAIR',
      /A-A and B-B have different potentials, which do not mix: give the pair A-B/,
    ],
    [
      'a rule that the potential does not have',
      [
        { ...ab, types: ['A', 'A'] },
        { ...ab, types: ['B', 'B'] },
      ],
      { mixing: 'geometric' },
      'MISSING_PAIR',
      /morse has no mixing rule 'geometric': give the pair A-B/,
    ],
    ['no force at all', [{ use: 'none' }], {}, 'INVALID_VALUE', /no pair of types has/],
    ['a bound', [{ ...aa, sigma: 0 }], {}, 'INVALID_VALUE', /sigma is 0/],
    [
      'a switch without its distance',
      [{ ...aa, switch: 'force' }],
      {},
      'INVALID_VALUE',
      /needs switch_from/,
    ],
    [
      'a distance without a switch',
      [{ ...aa, switchFrom: 2 }],
      {},
      'INVALID_VALUE',
      /switch_from says .*give switch too/,
    ],
    [
      'shift and switch',
      [{ ...aa, switch: 'force', switchFrom: 2, shift: 'energy' }],
      {},
      'INVALID_VALUE',
      /either shift or switch/,
    ],
    [
      'a window that begins beyond the cutoff',
      [{ ...bb, switch: 'force', switchFrom: 2.6 }, aa, ab],
      {},
      'INVALID_VALUE',
      /switch_from is 2.6: give a distance between 0 and rcut, which is 2.5/,
    ],
    [
      'less of a shift than there is by definition',
      [{ ...charges, shift: 'energy' }],
      {},
      'INVALID_VALUE',
      /shift is 'energy', but coulomb_dsf has shift 'force' by definition/,
    ],
  ])('refuses %s', (_, pairs, options, code, message) => {
    expect(() => pairForce({ types, pairs, ...options })).toThrow(
      expect.objectContaining({ code, message: expect.stringMatching(message) }),
    );
  });
});
