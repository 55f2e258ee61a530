import { dimensions } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { definePairPotential } from './definePairPotential.js';

const k = { dimension: dimensions.energy, doc: 'strength' };
const right = {
  name: 'mine',
  doc: 'u(r) = k / r',
  coefficients: { k },
  energy: (r: number, k: number) => k / r,
};
// Plain JavaScript has no types to say so.
const define = (changes: object) => definePairPotential({ ...right, ...changes } as typeof right);

it.each([
  [
    'coefficients under a wrong name',
    { coefficients: undefined, coeficients: { k } },
    /has a key 'coeficients', which means nothing: did you mean 'coefficients'\?/,
  ],
  ['no coefficients', { coefficients: undefined }, /'mine' has no coefficients: name the numbers/],
  ['a coefficient that is null', { coefficients: { k: null } }, /'k' of .* has no dimension/],
  ['no name', { name: undefined }, /a potential has no name/],
  ['an energy of nothing', { energy: () => 1 }, /takes nothing: its first argument is the dista/],
  [
    'an array',
    { energy: (r: number, k: number) => [k / r] },
    /its result is an array or an object/,
  ],
  ['an object', { energy: (r: number, k: number) => ({ u: k / r }) }, /is an array or an object/],
  ['another rule', { mixing: ['geometrc'] }, /rule 'geometrc': did you mean 'geometric'\?/],
  [
    'another meaning',
    { coefficients: { k: { ...k, mixes: 'depth' } } },
    /mixes as 'depth': did you mean 'length'|mixes as 'depth'.*strength, /,
  ],
])('%s is told in one sentence', (_, changes, message) => {
  expect(() => define(changes)).toThrow(message);
});

it('an energy that is no number within the cutoff is told with the distance', () => {
  const zero = define({ energy: (r: number, k: number) => k / (r - r) });
  expect(() => zero.term({ types: ['A'], k: 1, rcut: 2 })).toThrow(
    /energy of the potential 'mine' is Infinity at the distance 1\.998, within the cutoff/,
  );
  const root = define({ energy: (r: number, k: number) => Math.sqrt(k - r) });
  expect(() => root.term({ types: ['A'], k: 1, rcut: 2 })).toThrow(/is NaN at the distance 1\.998/);
  expect(root.term({ types: ['A'], k: 2, rcut: 2 }).rcut).toBe(2);
});
