import { CorpuscleError } from '@corpuscle/functor/error';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../test/support/runs.js';
import { inFolder, load } from './fixture.js';

inFolder();

const GOOD = `configuration: { units: metal, seed: 7 }
global: { dt: 1 fs, end_iteration: 2, say_frequency: 1 }
particle_types: { Ar: { mass: 39.948 Da } }
setup_system:
  - make_box: { length: 10 ang, types: [Ar] }
compute_force:
  - pair_force: { epsilon: 0.01 eV, rcut: 8.5 ang, group: { first: 1, last: 2 } }
+analysis: [{ rebind: { text: title }, condition: not off, body: &body [say: { text: x }] }]
simulation: [{ loop: 2, body: dynamics }, *body]
`;

/** Loads a text; anything but success and a CorpuscleError with a place inside the text is a defect. */
function check(text: string): void {
  try {
    load(text);
  } catch (error) {
    if (!(error instanceof CorpuscleError))
      throw new Error(`${String(error)} for\n${text}`, { cause: error });
    expect(error.code).not.toBe('INTERNAL');
    const lines = text.split('\n').length;
    expect(error.location?.line, `${error.message} for\n${text}`).toBeLessThanOrEqual(lines);
    expect(error.location?.frame).toContain('^');
    expect(error.message).not.toMatch(/undefined|\[object/);
  }
}

it('any damage to a file is either harmless or one error with a place', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ':',
      '-',
      '[',
      ']',
      '{',
      '}',
      '\n',
      '  ',
      '\t',
      '"',
      "'",
      '*',
      '&a',
      '!',
      '#',
      '? ',
      '|',
      '>',
      '%',
      '@',
      'null',
      '~',
      '<<',
      '+',
    ),
    fc.constantFrom(...GOOD.split(/[\s,{}[\]]+/)),
    fc.string({ maxLength: 3 }),
  );
  fc.assert(
    fc.property(fc.nat(GOOD.length), fc.nat(12), piece, (at, length, text) => {
      check(GOOD.slice(0, at) + text + GOOD.slice(at + length));
    }),
    { numRuns: runs(100, 1500) },
  );
});

it('any YAML value in any place is either right or one error with a place', () => {
  const value = fc.oneof(
    fc.constant(null),
    fc.integer(),
    fc.double(),
    fc.boolean(),
    fc.constantFrom('x', 'say', '4 ang', '', 'not a'),
    fc.array(fc.integer(), { maxLength: 2 }),
    fc.constant({ a: 1 }),
    fc.constant({ body: [] }),
  );
  const keys = [
    'configuration',
    'global',
    'particle_types',
    'setup_system',
    'compute_force',
    'simulation',
    'say',
    'includes',
    'other',
    '+analysis',
    'analysis',
    'dynamics',
  ];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), value, { maxKeys: 5 }), (document) => {
      check(JSON.stringify({ simulation: 'say', ...document }));
    }),
    { numRuns: runs(75, 1000) },
  );
});
