import { CorpuscleError, type ErrorCode } from '@corpuscle/core';
import { describe, expect, it } from 'vitest';
import { blockFunctor } from '../src/functor/blockFunctor.js';
import { cellFunctor } from '../src/functor/cellFunctor.js';
import { pairFunctor } from '../src/functor/pairFunctor.js';
import { reduceFunctor } from '../src/functor/reduceFunctor.js';
import type { Helper } from '../src/functor/schema.js';

const caught = (define: () => unknown): CorpuscleError => {
  try {
    define();
  } catch (error) {
    if (error instanceof CorpuscleError) return error;
    throw error;
  }
  throw new Error('the functor was accepted');
};

/** Compiles `(i, j, d, p, h, c) => { body }` as plain JavaScript, as a user without types would write it. */
function pairBody(
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
        neighbour: { q: 'real', type: 'u32' },
        params: { rc2: 'real', m: 'i32', table: 'real[]' },
        helpers,
        constants: { two: 2 },
      },
      new Function(`return (${parameters}) => {\n${body}\n};`)(),
    );
}

/** What is wrong in the body → code, words of the problem, words of the remedy, the text under the caret. */
const cases: readonly [
  body: string,
  code: ErrorCode,
  problem: RegExp,
  remedy: RegExp,
  caret: string,
][] = [
  // names
  [
    'i.fx += outer * d.x;',
    'FUNCTOR_NAME',
    /'outer' is not defined/,
    /params|constants|helpers/,
    'outer',
  ],
  ['i.fx += p.rcut2;', 'FUNCTOR_NAME', /'rcut2' is not declared.*rc2/, /params/, 'p.rcut2'],
  ['i.fz += d.x;', 'FUNCTOR_NAME', /'fz' is not declared/, /declare it/, 'i.fz'],
  ['i.fx += d.w;', 'FUNCTOR_NAME', /'w' is not declared/, /x, y, z and r2/, 'd.w'],
  ['i.fx += j.mass;', 'FUNCTOR_NAME', /'mass' is not declared/, /neighbour/, 'j.mass'],
  ['i.fx += c.three;', 'FUNCTOR_NAME', /constant 'three'/, /constants/, 'c.three'],
  ['i.fx += h.cube(d.x);', 'FUNCTOR_NAME', /helper 'cube' is not declared/, /helpers/, 'h.cube'],
  ['i.fx += cube(d.x);', 'FUNCTOR_NAME', /cannot capture outer functions/, /h\.name/, 'cube'],
  ['total = d.x;', 'FUNCTOR_NAME', /'total' is not declared/, /declare it with let/, 'total'],
  ['const { fz } = i; i.fx += fz;', 'FUNCTOR_NAME', /'fz' is not declared/, /declare it/, 'fz'],
  ['i.fx += Math.TAU;', 'FUNCTOR_UNSUPPORTED', /'Math.TAU'/, /constants/, 'Math.TAU'],
  // read-only things
  ['j.q = 1;', 'FUNCTOR_TYPE', /'q' is read-only/, /newton3/, 'j.q'],
  ['p.rc2 = 1;', 'FUNCTOR_TYPE', /'rc2' is read-only/, /variable/, 'p.rc2'],
  ['i.q += 1;', 'FUNCTOR_TYPE', /'q' is read-only/, /read/, 'i.q'],
  ['d.x = 0;', 'FUNCTOR_TYPE', /'x' is read-only/, /variable/, 'd.x'],
  ['p.table[0] = 1;', 'FUNCTOR_TYPE', /'table' is read-only/, /variable/, 'p.table[0]'],
  ['c.two = 1;', 'FUNCTOR_TYPE', /read-only/, /variable/, 'c.two'],
  ['const a = 1; a = 2;', 'FUNCTOR_TYPE', /'a' is a const/, /let/, 'a'],
  ['i = j;', 'FUNCTOR_TYPE', /cannot be assigned as a whole/, /fields/, 'i'],
  // types
  ['i.n += d.x;', 'FUNCTOR_TYPE', /'d\.x' is a real, but an int \(i32\)/, /h\.i32\(\)/, 'd.x'],
  ['i.n = 0.5;', 'FUNCTOR_TYPE', /0\.5 does not fit/, /h\.i32\(\)/, '0.5'],
  ['let k = h.i32(1); k = d.x; i.n = k;', 'FUNCTOR_TYPE', /'d\.x' is a real/, /h\.i32/, 'd.x'],
  ['let k = h.i32(1); k /= 2; i.n = k;', 'FUNCTOR_TYPE', /real, but an int/, /h\.i32/, 'k /= 2'],
  ['i.k = i.n;', 'FUNCTOR_TYPE', /an i32, but a u32/, /h\.u32|>>> 0/, 'i.n'],
  ['i.k = -1;', 'FUNCTOR_TYPE', /-1 does not fit/, /from 0/, '-1'],
  ['i.fx += p.table[d.x];', 'FUNCTOR_TYPE', /index 'd\.x' is a real/, /h\.i32\(\)/, 'd.x'],
  ['i.fx += d.x < 1;', 'FUNCTOR_TYPE', /truth value is used as a number/, /\? 1 : 0/, 'd.x < 1'],
  ['if (d.x) i.fx += 1;', 'FUNCTOR_TYPE', /number where a truth value/, /!== 0/, 'd.x'],
  ['if (d.x && d.y < 1) i.fx += 1;', 'FUNCTOR_TYPE', /number where a truth value/, /!== 0/, 'd.x'],
  [
    'i.fx += (d.x < 1) + (d.y < 1);',
    'FUNCTOR_TYPE',
    /truth value is used/,
    /\? 1 : 0/,
    '(d.x < 1) + (d.y < 1)',
  ],
  [
    'i.fx += (d.x < 1) === 1 ? 1 : 0;',
    'FUNCTOR_TYPE',
    /compared with a number/,
    /compare two numbers/,
    '(d.x < 1) === 1',
  ],
  [
    'let a = d.x; a = d.x < 1; i.fx += a;',
    'FUNCTOR_TYPE',
    /both as a number and as a truth value/,
    /two variables/,
    'd.x < 1',
  ],
  ['i.n = d.x | 0;', 'FUNCTOR_TYPE', /bit operations need ints/, /h\.i32/, 'd.x'],
  ['i.fx += p.table;', 'FUNCTOR_TYPE', /'table' is an array/, /table\[k\]/, 'p.table'],
  ['i.fx += p.rc2[0];', 'FUNCTOR_TYPE', /'rc2' is a number/, /real\[\]/, 'p.rc2'],
  ['i.fx += i;', 'FUNCTOR_TYPE', /'i' is not a number/, /i\.field/, 'i'],
  ['const a = [1, 2]; i.fx += a;', 'FUNCTOR_TYPE', /array 'a' is used as a number/, /a\[k\]/, 'a'],
  ['const a = [1, 2]; i.fx += a[2];', 'FUNCTOR_TYPE', /index 2 is outside/, /0 to 1/, '2'],
  [
    'const a = d.x; i.fx += a[0];',
    'FUNCTOR_TYPE',
    /'a' is a number and has no elements/,
    /index arrays/,
    'a',
  ],
  [
    'i.fx += Math.sqrt(d.x, d.y);',
    'FUNCTOR_TYPE',
    /Math\.sqrt takes 1 argument, not 2/,
    /correct/,
    'Math.sqrt(d.x, d.y)',
  ],
  [
    'i.fx += Math.pow(d.x);',
    'FUNCTOR_TYPE',
    /Math\.pow takes 2 arguments, not 1/,
    /correct/,
    'Math.pow(d.x)',
  ],
  ['i.fx += h.real();', 'FUNCTOR_TYPE', /h\.real takes 1 argument, not 0/, /correct/, 'h.real()'],
  // syntax that is not supported
  [
    'try { i.fx += d.x; } catch (e) {}',
    'FUNCTOR_UNSUPPORTED',
    /'try'/,
    /test the values/,
    'try { i.fx += d.x; } catch (e) {}',
  ],
  ['throw 1;', 'FUNCTOR_UNSUPPORTED', /'throw'/, /field/, 'throw 1;'],
  [
    'switch (i.type) { case 0: break; }',
    'FUNCTOR_UNSUPPORTED',
    /'switch'/,
    /if/,
    'switch (i.type) { case 0: break; }',
  ],
  [
    'for (const x of [1, 2]) i.fx += x;',
    'FUNCTOR_UNSUPPORTED',
    /'for of'/,
    /for \(let k/,
    'for (const x of [1, 2]) i.fx += x;',
  ],
  [
    'for (const k in d) i.fx += 1;',
    'FUNCTOR_UNSUPPORTED',
    /'for in'/,
    /for \(let k/,
    'for (const k in d) i.fx += 1;',
  ],
  [
    'a: for (;;) { break a; }',
    'FUNCTOR_UNSUPPORTED',
    /'labeled'/,
    /helper/,
    'a: for (;;) { break a; }',
  ],
  [
    'function f() { return 1; } i.fx += f();',
    'FUNCTOR_UNSUPPORTED',
    /'function'/,
    /helpers/,
    'function f() { return 1; }',
  ],
  [
    'const f = (x) => x; i.fx += f(1);',
    'FUNCTOR_UNSUPPORTED',
    /arrow function/,
    /helpers/,
    '(x) => x',
  ],
  [
    'i.fx += [1, 2].map((x) => x * d.x)[0];',
    'FUNCTOR_UNSUPPORTED',
    /cannot be compiled/,
    /read fields/,
    '[1, 2].map((x) => x * d.x)[0]',
  ],
  ["i.fx += 'a';", 'FUNCTOR_UNSUPPORTED', /neither a number nor/, /numbers/, "'a'"],
  ['i.fx += 1n;', 'FUNCTOR_UNSUPPORTED', /neither a number nor/, /numbers/, '1n'],
  ['i.fx += `1`;', 'FUNCTOR_UNSUPPORTED', /template literal/, /numbers/, '`1`'],
  ['i.fx += null;', 'FUNCTOR_UNSUPPORTED', /null is neither/, /numbers/, 'null'],
  ['i.fx += d.x ?? 1;', 'FUNCTOR_UNSUPPORTED', /'\?\?'/, /never null/, 'd.x ?? 1'],
  ['i.fx += d?.x;', 'FUNCTOR_UNSUPPORTED', /cannot be compiled/, /docs|gpu/, 'd?.x'],
  [
    'let a = d.x < 1; a ||= true; if (a) i.fx += 1;',
    'FUNCTOR_UNSUPPORTED',
    /'\|\|='/,
    /if/,
    'a ||= true',
  ],
  ['i.fx += this.x;', 'FUNCTOR_UNSUPPORTED', /this\.x/, /read fields/, 'this.x'],
  ['i.fx += typeof d.x;', 'FUNCTOR_UNSUPPORTED', /'typeof'/, /leave it out/, 'typeof d.x'],
  ["i.fx += 'x' in d;", 'FUNCTOR_UNSUPPORTED', /'x'/, /numbers/, "'x'"],
  ['i.fx += new Date();', 'FUNCTOR_UNSUPPORTED', /a new expression/, /array/, 'new Date()'],
  [
    'console.log(d.x);',
    'FUNCTOR_UNSUPPORTED',
    /call of 'console\.log'/,
    /Math functions and helpers/,
    'console.log',
  ],
  ['i.fx += Math.random();', 'FUNCTOR_UNSUPPORTED', /Math\.random/, /helper/, 'Math.random'],
  [
    'i.fx += Math.sqr(d.x);',
    'FUNCTOR_UNSUPPORTED',
    /did you mean Math\.sqrt/,
    /use sqrt/,
    'Math.sqr',
  ],
  [
    'i.fx += Math.max(...[1, 2]);',
    'FUNCTOR_UNSUPPORTED',
    /spread/,
    /write the arguments/,
    '...[1, 2]',
  ],
  [
    'const a = new Array(h.i32(d.x)).fill(0); i.fx += a[0];',
    'FUNCTOR_UNSUPPORTED',
    /size of a local array/,
    /number or a constant/,
    'new Array(h.i32(d.x))',
  ],
  [
    'const a = new Array(1000).fill(0); i.fx += a[0];',
    'FUNCTOR_UNSUPPORTED',
    /array of \d+ elements/,
    /table/,
    'a',
  ],
  ['const a = []; i.fx += a[0];', 'FUNCTOR_UNSUPPORTED', /array of 0 elements/, /table/, 'a'],
  ['const { x = 1 } = d; i.fx += x;', 'FUNCTOR_UNSUPPORTED', /'x = 1'/, /defaults/, 'x = 1'],
  [
    'i.fx += (i.fx = d.x);',
    'FUNCTOR_UNSUPPORTED',
    /itself writes a field/,
    /statement of its own/,
    'i.fx += (i.fx = d.x)',
  ],
];

describe('errors at definition time', () => {
  it.each(cases)('%s', (body, code, problem, remedy, caret) => {
    const error = caught(pairBody(body));
    expect(error.code).toBe(code);
    const [sentence] = error.message.split('\n') as [string];
    expect(sentence).toMatch(
      /^functor 'demo' \(defined at .*functor\.errors\.test\.ts:\d+:\d+\): /,
    );
    const [what, ...rest] = sentence.split('; ');
    expect(what).toMatch(problem);
    expect(rest.join('; ')).toMatch(remedy);
    expect(textAtCaret(error.location!.frame!)).toBe(caret);
    expect(error.message).toContain(error.location!.frame!);
    expect(error.location!.file).toMatch(/functor\.errors\.test\.ts$/);
  });
});

/** What the carets of a frame point at. */
function textAtCaret(frame: string): string {
  const lines = frame.split('\n');
  const at = lines.findIndex((line) => /^\s*\| *\^+$/.test(line));
  const start = lines[at]!.indexOf('^');
  return lines[at - 1]!.slice(start, start + lines[at]!.split('^').length - 1);
}

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
      /returns 2 values/,
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
    const error = caught(pairBody(body, helpers));
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
  });
});

describe('errors in declarations and functions', () => {
  const ok = () => {};
  const bad = (spec: object) => () =>
    pairFunctor({ name: 'demo', central: { fx: 'real' }, ...spec } as never, ok);
  const specCases: readonly [string, () => unknown, ErrorCode, RegExp][] = [
    ['a name with a space', bad({ name: 'my functor' }), 'FUNCTOR_NAME', /no identifier/],
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
      /'blockShared' is a trait of neighbourhood functors/,
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
      pairBody('i.fx += z;', {}, 'i, j, d, p, h, c, z'),
      'FUNCTOR_TYPE',
      /more than 6 parameters/,
    ],
    [
      'a default parameter',
      pairBody('i.fx += 1;', {}, 'i, j = 1'),
      'FUNCTOR_UNSUPPORTED',
      /'j = 1'/,
    ],
    [
      'a write through destructuring',
      pairBody('x = 1;', {}, 'i, j, { x }'),
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
