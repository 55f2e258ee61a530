import { pairFunctor } from '@corpuscle/functor';
import { expect, it } from 'vitest';
import { checkUnwanted } from '../../src/plan/checkUnwanted.js';

const chained = pairFunctor(
  { name: 'chained', central: { fx: 'real', ep: 'real' } },
  (i, _j, d) => {
    i.ep += d.r2;
    i.fx += i.ep * d.x;
  },
);

it('refuses to drop an output that another one is computed from', () => {
  expect(() => checkUnwanted(chained, { fx: 'particles', ep: 'none' })).toThrow(
    /output 'ep' of functor 'chained' goes to 'none', but other outputs are computed from it/,
  );
});

it('allows an unwanted output that no wanted one depends on', () => {
  expect(() => checkUnwanted(chained, { fx: 'none', ep: 'particles' })).not.toThrow();
  expect(() => checkUnwanted(chained, { fx: 'none', ep: 'none' })).not.toThrow();
  expect(() => checkUnwanted(chained, { fx: 'both', ep: 'particles' })).not.toThrow();
});
