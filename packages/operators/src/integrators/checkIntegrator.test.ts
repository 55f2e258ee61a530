import { cellFunctor } from '@corpuscle/patterns';
import { expect, it } from 'vitest';
import { defineIntegrator } from './defineIntegrator.js';

const functor = cellFunctor(
  { name: 'slow', fields: { vx: 'real' }, params: { keep: 'real' } },
  (i, p) => {
    i.vx *= p.keep;
  },
);
const phase = { doc: 'Slows.', functor, params: () => ({ keep: 0.9 }) };
const define = (changes: object) =>
  defineIntegrator({ name: 'mine', doc: '', phases: ['forces', phase], ...changes });

// Plain JavaScript has no types to say so. A wrong mark was taken for 'forces'.
it.each([
  ['a wrong mark', { phases: ['force', phase] }, /phase 1 of 'mine' is 'force': did you mean 'fo/],
  ['no phases', { phases: undefined }, /'mine' has no list of phases: give phases/],
  ['a wrong key', { phase: [] }, /has a key 'phase', which means nothing: did you mean 'phases'\?/],
  ['no functor', { phases: ['forces', { doc: '' }] }, /phase 2 of 'mine' has no functor/],
  [
    'parameters that are numbers',
    { phases: ['forces', { ...phase, params: { keep: 1 } }] },
    /params of phase 2 of 'mine' is no function/,
  ],
])('%s is told in one sentence, where the integrator is defined', (_, changes, message) => {
  expect(() => define(changes)).toThrow(
    expect.objectContaining({
      message: expect.stringMatching(message),
      stack: expect.stringMatching(/^.*\n\s*at .*checkIntegrator\.test\.ts:/),
    }),
  );
});
