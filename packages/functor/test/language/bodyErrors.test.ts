import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../src/error/CorpuscleError.js';
import { caught, demoFunctor } from './demoFunctor.js';

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
  ['i.fx += j.mass;', 'FUNCTOR_NAME', /'mass' is not declared/, /neighbor/, 'j.mass'],
  ['i.fx += c.three;', 'FUNCTOR_NAME', /constant 'three'/, /constants/, 'c.three'],
  ['i.fx += h.cube(d.x);', 'FUNCTOR_NAME', /helper 'cube' is not declared/, /helpers/, 'h.cube'],
  ['i.fx += cube(d.x);', 'FUNCTOR_NAME', /cannot capture outer functions/, /h\.name/, 'cube'],
  ['i.fx += Number(d.x);', 'FUNCTOR_NAME', /'Number' converts nothing/, /leave it out/, 'Number'],
  ['i.fx += outer.x[0];', 'FUNCTOR_NAME', /'outer' is not defined/, /real\[\]/, 'outer'],
  ['outer.x = d.x;', 'FUNCTOR_NAME', /'outer' is not defined/, /params/, 'outer'],
  [
    'i.fx += undefined;',
    'FUNCTOR_NAME',
    /'undefined' is no number/,
    /never undefined/,
    'undefined',
  ],
  ['i.fx += i.constructor;', 'FUNCTOR_NAME', /'constructor' is not/, /declare/, 'i.constructor'],
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
  [
    'return [d.x, d.y, d.z];',
    'FUNCTOR_TYPE',
    /value would be lost/,
    /assign it/,
    '[d.x, d.y, d.z]',
  ],
  ['return i.fx + d.x;', 'FUNCTOR_TYPE', /value would be lost/, /assign it/, 'i.fx + d.x'],
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
  ['i.fx += d?.x;', 'FUNCTOR_UNSUPPORTED', /cannot be compiled/, /write \. in place of/, 'd?.x'],
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
  ['i.fx += Math.random();', 'FUNCTOR_UNSUPPORTED', /Math\.random/, /h\.uniform/, 'Math.random'],
  [
    'i.fx += Math.tan(d.x);',
    'FUNCTOR_UNSUPPORTED',
    /Math\.tan/,
    /sin\(x\) \/ Math\.cos/,
    'Math.tan',
  ],
  ['i.fx == d.x;', 'FUNCTOR_UNSUPPORTED', /nothing is done/, /write = to assign/, 'i.fx == d.x'],
  ['i.fx += p.table.length;', 'FUNCTOR_UNSUPPORTED', /length/, /params/, 'p.table.length'],
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

describe('errors in bodies', () => {
  it.each(cases)('%s', (body, code, problem, remedy, caret) => {
    const error = caught(demoFunctor(body));
    expect(error.code).toBe(code);
    const [sentence] = error.message.split('\n') as [string];
    expect(sentence).toMatch(/^functor 'demo' \(defined at .*demoFunctor\.ts:\d+:\d+\): /);
    const [what, ...rest] = sentence.split('; ');
    expect(what).toMatch(problem);
    expect(rest.join('; ')).toMatch(remedy);
    expect(textAtCaret(error.location!.frame!)).toBe(caret);
    expect(error.message).toContain(error.location!.frame!);
    expect(error.location!.file).toMatch(/demoFunctor\.ts$/);
  });
});

/** What the carets of a frame point at. */
function textAtCaret(frame: string): string {
  const lines = frame.split('\n');
  const at = lines.findIndex((line) => /^\s*\| *\^+$/.test(line));
  const start = lines[at]!.indexOf('^');
  return lines[at - 1]!.slice(start, start + lines[at]!.split('^').length - 1);
}
