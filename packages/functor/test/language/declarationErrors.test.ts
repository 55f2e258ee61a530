import { describe, expect, it } from 'vitest';
import { blockFunctor } from '../../src/blockFunctor.js';
import { cellFunctor } from '../../src/cellFunctor.js';
import { CorpuscleError, type ErrorCode } from '../../src/error/CorpuscleError.js';
import { withFunctionText } from '../../src/functionText.js';
import { pairFunctor } from '../../src/pairFunctor.js';
import { reduceFunctor } from '../../src/reduceFunctor.js';
import { caught, demoFunctor } from './demoFunctor.js';

describe('errors in declarations and functions', () => {
  const ok = () => {};
  const bad = (spec: object) => () =>
    pairFunctor({ name: 'demo', central: { fx: 'real' }, ...spec } as never, ok);
  const specCases: readonly [string, () => unknown, ErrorCode, RegExp][] = [
    ['a name with a space', bad({ name: 'my functor' }), 'FUNCTOR_NAME', /no identifier/],
    [
      'a table whose name is misspelled',
      () => cellFunctor({ name: 'demo', field: { rx: 'real' } } as never, ok),
      'FUNCTOR_NAME',
      /a cell functor declares no 'field'; did you mean 'fields'\?/,
    ],
    [
      'a table that is missing',
      () => cellFunctor({ name: 'demo' } as never, ok),
      'FUNCTOR_NAME',
      /'fields' is missing; declare it/,
    ],
    [
      'an unknown type',
      bad({ params: { eps: 'float' } }),
      'FUNCTOR_NAME',
      /'eps' has the unknown type 'float'/,
    ],
    [
      'a table of fields',
      bad({ central: { fx: 'real[]' } }),
      'FUNCTOR_NAME',
      /'fx' has the unknown type/,
    ],
    [
      'a field declared twice',
      bad({ read: { fx: 'real' } }),
      'FUNCTOR_NAME',
      /'fx' is declared twice/,
    ],
    [
      'an unknown trait',
      bad({ traits: { quick: true } }),
      'FUNCTOR_NAME',
      /there is no trait 'quick'; there are gpu, buffered, bufferless, newton3/,
    ],
    [
      'a trait of another kind',
      bad({ traits: { blockShared: true } }),
      'FUNCTOR_NAME',
      /'blockShared' is a trait of neighborhood functors/,
    ],
    [
      'a constant that is no number',
      bad({ constants: { k: '3' } }),
      'FUNCTOR_NAME',
      /'k' is no number/,
    ],
    [
      'a helper that is no function',
      bad({ helpers: { f: 3 } }),
      'FUNCTOR_NAME',
      /'f' is no function/,
    ],
    [
      'a helper that hides a conversion',
      bad({ helpers: { i32: ok } }),
      'FUNCTOR_NAME',
      /hides a conversion/,
    ],
    [
      'an async function',
      () => pairFunctor({ name: 'demo', central: {} }, (async () => {}) as never),
      'FUNCTOR_UNSUPPORTED',
      /is async/,
    ],
    [
      'a generator',
      () => pairFunctor({ name: 'demo', central: {} }, function* () {} as never),
      'FUNCTOR_UNSUPPORTED',
      /is a generator/,
    ],
    [
      'a bound function',
      () => pairFunctor({ name: 'demo', central: {} }, ok.bind(null)),
      'FUNCTOR_SYNTAX',
      /no source text/,
    ],
    [
      'a class',
      () => pairFunctor({ name: 'demo', central: {} }, class {} as never),
      'FUNCTOR_SYNTAX',
      /not a function/,
    ],
    [
      'too many parameters',
      demoFunctor('i.fx += z;', {}, 'i, j, d, p, h, c, z'),
      'FUNCTOR_TYPE',
      /more than 6 parameters/,
    ],
    [
      'a default parameter',
      demoFunctor('i.fx += 1;', {}, 'i, j = 1'),
      'FUNCTOR_UNSUPPORTED',
      /'j = 1'/,
    ],
    [
      'a write through destructuring',
      demoFunctor('x = 1;', {}, 'i, j, { x }'),
      'FUNCTOR_TYPE',
      /taken out of an argument/,
    ],
    [
      'newton3 without parity',
      () =>
        pairFunctor(
          { name: 'demo', central: { fx: 'real' }, traits: { newton3: true } },
          (i, _j, d) => {
            i.fx += d.x + d.r2;
          },
        ),
      'FUNCTOR_TYPE',
      /'fx' to be odd or even/,
    ],
  ];
  it.each(specCases)('%s', (_, define, code, message) => {
    const error = caught(define);
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });

  it('refuses to read a result, whose value depends on the order of particles', () => {
    const error = caught(() =>
      reduceFunctor({ name: 'r', result: { m: 'max' }, read: { vx: 'real' } }, (acc, i) => {
        if (i.vx > acc.m) acc.m = i.vx;
      }),
    );
    expect(error.code).toBe('FUNCTOR_UNSUPPORTED');
    expect(error.message).toMatch(/no fixed order; .*Math\.max/);
  });

  it('refuses a result written otherwise than declared', () => {
    const error = caught(() =>
      reduceFunctor({ name: 'r', result: { m: 'max' }, read: { vx: 'real' } }, (acc, i) => {
        acc.m += i.vx;
      }),
    );
    expect(error.message).toMatch(/declared 'max' but written as 'sum'/);
  });

  it('refuses to write an array that is only read', () => {
    const error = caught(() =>
      blockFunctor({ name: 'b', arrays: {}, read: { values: 'real' } }, (b, a) => {
        (a.values as number[])[b.index] = 1;
      }),
    );
    expect(error.message).toMatch(/'values' is read-only here; declare it in `arrays`/);
  });

  it('lets a functor that stays on the CPU be any JavaScript, and says why it is not compiled', () => {
    const seen: number[] = [];
    const functor = cellFunctor(
      { name: 'log', fields: {}, read: { id: 'u32' }, traits: { gpu: false } },
      (i) => {
        seen.push(i.id);
      },
    );
    expect(functor.ir).toBeNull();
    expect(functor.notCompiled).toMatch(/seen\.push/);
    functor.invoke({ id: 7 }, {});
    expect(seen).toEqual([7]);
  });
});

it.each([500, 1000, 1500, 2000, 3000, 4000, 30_000])(
  'a function that nests %i deep is compiled, or is one error of ours',
  (depth) => {
    const text = `(i) => { i.fx += ${'-('.repeat(depth)}1${')'.repeat(depth)}; }`;
    const define = () =>
      pairFunctor(
        { name: 'demo', central: { fx: 'real' } },
        withFunctionText(() => {}, text),
      );
    try {
      define();
    } catch (error) {
      expect(error).toBeInstanceOf(CorpuscleError);
      expect((error as CorpuscleError).code).toMatch(/^FUNCTOR_/);
    }
  },
);
