import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/error/CorpuscleError.js';
import type { Helper } from '../../src/schema.js';
import { caught, demoFunctor } from './demoFunctor.js';

describe('errors in helpers', () => {
  const twice = (x: number) => x * 2;
  const helperCases: readonly [string, string, Record<string, Helper>, ErrorCode, RegExp][] = [
    [
      'recursion',
      'i.fx += h.f(d.x, h);',
      { f: (x: number, h: { f: Helper }) => (h.f as (x: number, h: object) => number)(x, h) },
      'FUNCTOR_TYPE',
      /calls itself \(f → f\); write a loop/,
    ],
    [
      'too many arguments',
      'i.fx += h.twice(1, 2);',
      { twice },
      'FUNCTOR_TYPE',
      /takes 1 argument, not 2/,
    ],
    [
      'too few arguments',
      'i.fx += h.twice();',
      { twice },
      'FUNCTOR_TYPE',
      /takes 1 argument, not 0/,
    ],
    [
      'a path without a value',
      'i.fx += h.f(d.x);',
      { f: new Function('x', 'if (x > 1) return 1;') as Helper },
      'FUNCTOR_TYPE',
      /helper 'f' of functor 'demo'.*every path/,
    ],
    [
      'a bare return',
      'i.fx += h.f(d.x);',
      { f: new Function('x', 'if (x > 1) return; return 2;') as Helper },
      'FUNCTOR_TYPE',
      /returns nothing here/,
    ],
    [
      'a captured variable',
      'i.fx += h.f(d.x);',
      { f: new Function('x', 'return x * scale;') as Helper },
      'FUNCTOR_NAME',
      /'scale' is not defined.*as an argument/,
    ],
    [
      'two shapes',
      'const [a, b] = h.f(d.x); i.fx += a + b;',
      { f: new Function('x', 'if (x > 1) return [1, 2]; return [1, 2, 3];') as Helper },
      'FUNCTOR_TYPE',
      /another shape/,
    ],
    [
      'several values as one',
      'i.fx += h.f(d.x);',
      { f: (x: number) => [x, x] },
      'FUNCTOR_TYPE',
      /returns an array where one number/,
    ],
    [
      'more names than values',
      'const [a, b, e] = h.f(d.x); i.fx += e;',
      { f: (x: number) => [x, x] },
      'FUNCTOR_TYPE',
      /only 2 values/,
    ],
    [
      'a name that is not returned',
      'const { b } = h.f(d.x); i.fx += b;',
      { f: (x: number) => ({ a: x }) },
      'FUNCTOR_NAME',
      /'b' is not among/,
    ],
    [
      'a whole particle',
      'i.fx += h.f(i);',
      { f: (x: number) => x },
      'FUNCTOR_UNSUPPORTED',
      /handed to a helper as a whole/,
    ],
    [
      'a whole array',
      'const a = [1, 2]; i.fx += h.f(a);',
      { f: (x: number) => x },
      'FUNCTOR_UNSUPPORTED',
      /one by one/,
    ],
    [
      'a default',
      'i.fx += h.f(1);',
      { f: new Function('return (x = 1) => x')() as Helper },
      'FUNCTOR_UNSUPPORTED',
      /'x = 1'/,
    ],
    [
      'rest parameters',
      'i.fx += h.f(1);',
      { f: (...x: number[]) => x[0] },
      'FUNCTOR_UNSUPPORTED',
      /\.\.\.x/,
    ],
    ['async', 'i.fx += h.f(1);', { f: async (x: number) => x }, 'FUNCTOR_UNSUPPORTED', /is async/],
    [
      'a generator',
      'i.fx += h.f(1);',
      {
        f: function* (x: number) {
          yield x;
        },
      },
      'FUNCTOR_UNSUPPORTED',
      /is a generator/,
    ],
    ['native code', 'i.fx += h.f(1);', { f: Math.cbrt }, 'FUNCTOR_SYNTAX', /no source text/],
    ['a call without h', 'i.fx += twice(1);', { twice }, 'FUNCTOR_NAME', /h\.twice\(…\)/],
    [
      'an int that receives a real',
      'i.n = h.f(i.type);',
      { f: new Function('k', 'let n = k; n = k / 2; return n;') as Helper },
      'FUNCTOR_TYPE',
      /'k \/ 2' is a real/,
    ],
  ];
  it.each(helperCases)('%s', (_, body, helpers, code, message) => {
    const error = caught(demoFunctor(body, helpers));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});
