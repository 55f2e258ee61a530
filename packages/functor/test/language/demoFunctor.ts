import { CorpuscleError } from '../../src/error/CorpuscleError.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import type { Helper } from '../../src/schema.js';

/** What defining a functor throws. */
export const caught = (define: () => unknown): CorpuscleError => {
  try {
    define();
  } catch (error) {
    if (error instanceof CorpuscleError) return error;
    throw error;
  }
  throw new Error('the functor was accepted');
};

/** Defines a pair functor `(i, j, d, p, h, c) => { body }` in plain JavaScript, as a user without types would write it. */
export function demoFunctor(
  body: string,
  helpers: Record<string, Helper> = {},
  parameters = 'i, j, d, p, h, c',
) {
  return () =>
    pairFunctor(
      {
        name: 'demo',
        central: { fx: 'real', n: 'i32', k: 'u32' },
        read: { q: 'real', type: 'u32' },
        neighbor: { q: 'real', type: 'u32' },
        params: { rc2: 'real', m: 'i32', table: 'real[]' },
        helpers,
        constants: { two: 2 },
      },
      new Function(`return (${parameters}) => {\n${body}\n};`)(),
    );
}
