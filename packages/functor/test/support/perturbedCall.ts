import type { Expr, FunctorIR, HelperIR, Stmt } from '../../src/ir.js';
import type { JavaScriptEnv } from '../../src/lower/javascript/JavaScriptEnv.js';
import { lowerToJavaScript } from '../../src/lower/javascript/lowerToJavaScript.js';
import { mapOperands, mapStatement } from '../../src/passes/walk.js';
import type { RandomSource } from './RandomSource.js';
import { outputs, randomParams, type Sample } from './randomFunctor.js';
import { toDouble } from './toDouble.js';

const env: JavaScriptEnv = {
  read: (role, field) => `${role}.${field}`,
  item: (role, field, index) => `${role}.${field}[${index}]`,
  write: (role, field, op, value) => `${role}.${field} ${op} ${value};`,
  writeItem: (role, field, index, op, value) => `${role}.${field}[${index}] ${op} ${value};`,
};

/** Operations whose result is exact whenever it fits in single precision. */
const exact = new Set([
  '+',
  '-',
  '*',
  'abs',
  'floor',
  'ceil',
  'trunc',
  'round',
  'min',
  'max',
  'sign',
]);

/**
 * A functor in single precision, or double-single, with every real operation off by a random error of a few units in the
 * last place (Monte Carlo arithmetic).
 * How far its results scatter says what may be asked of a device: where a comparison or a `floor` is a close call they
 * scatter wildly, and nothing can be asked; elsewhere the device must lie where they lie.
 */
export function perturbedCall(
  ir: FunctorIR,
  real: 'f32' | 'f64' = 'f32',
): (sample: Sample, random: RandomSource) => number[] {
  const { round, unit } = precisions[real];
  const marked = markIR(ir, round);
  const { helpers, prologue, body } = lowerToJavaScript(marked, env);
  const text = `${helpers}\nreturn function run(i, j, d, p) {\n${prologue}functor: {\n${body}}\n};`;
  // `fround(x)` marks results that are exact when they fit, `fround(fround(x))` those that never are.
  const source = text
    .replaceAll('Math.fround((Math.fround(', 'off((off(')
    .replaceAll('Math.fround(Math.fround(', 'off(off(')
    .replaceAll('Math.fround(', 'near(');
  let random: RandomSource;
  const off = (x: number): number => {
    const error = unit * (2 * random.next() - 1);
    return round(x + x * error + 2 ** -24 * error);
  };
  const near = (x: number): number => (round(x) === x ? x : off(x));
  const run = new Function('near', 'off', 'Math', `"use strict";\n${source}`)(near, off, ownMath);
  const rounded = (values: object): Record<string, number> =>
    Object.fromEntries(Object.entries(values).map(([name, value]) => [name, round(value)]));
  return (sample, withRandom) => {
    random = withRandom;
    const i = rounded(sample.i);
    const params = { ...randomParams, a: round(randomParams.a), b: round(randomParams.b) };
    run(i, rounded(sample.j), rounded(sample.d), params);
    return outputs.map((field) => (field === 'n' ? i[field]! | 0 : i[field]!));
  };
}

type Round = (value: number) => number;

/** What a precision can hold of a number, and errors of its operations. */
const precisions = {
  f32: { round: Math.fround, unit: 2 ** -22 },
  f64: { round: toDouble, unit: 2 ** -43 },
} as const;

/** A functor's own `Math.fround`, told apart from the marks. */
const OWN_FROUND = 9;
const ownMath = Object.create(
  Math,
  Object.getOwnPropertyDescriptors({
    hypot: (...args: number[]): number =>
      args.length === OWN_FROUND ? Math.fround(args[0]!) : Math.hypot(...args),
  }),
);

function markIR(ir: FunctorIR, round: Round): FunctorIR {
  const helpers = new Map<HelperIR, HelperIR>();
  for (const helper of ir.helpers) {
    // Devices compute the text of the library, also where JavaScript has the function itself.
    const { builtin: _, ...copy } = helper;
    helpers.set(helper, copy);
    (copy as { body: readonly Stmt[] }).body = markBody(helper.body, helpers, round);
  }
  return { ...ir, helpers: [...helpers.values()], body: markBody(ir.body, helpers, round) };
}

function markBody(
  body: readonly Stmt[],
  helpers: ReadonlyMap<HelperIR, HelperIR>,
  round: Round,
): readonly Stmt[] {
  const fround = (e: Expr): Expr => ({ kind: 'math', type: 'real', name: 'fround', args: [e] });
  const mark = (e: Expr): Expr => {
    let mapped = mapOperands(e, mark);
    if (mapped.kind === 'call') mapped = { ...mapped, helper: helpers.get(mapped.helper)! };
    if (mapped.type !== 'real') return mapped;
    if (mapped.kind === 'number') return { ...mapped, value: round(mapped.value) };
    if (mapped.kind === 'math' && mapped.name === 'fround') {
      const zero: Expr = { kind: 'number', type: 'real', value: 0 };
      const args = [mapped.args[0]!, ...new Array<Expr>(OWN_FROUND - 1).fill(zero)];
      return { ...mapped, name: 'hypot', args };
    }
    if (mapped.kind !== 'binary' && mapped.kind !== 'math' && mapped.kind !== 'cast') return mapped;
    const name = mapped.kind === 'binary' ? mapped.op : mapped.kind === 'math' ? mapped.name : '+';
    return exact.has(name) ? fround(mapped) : fround(fround(mapped));
  };
  const list = (statements: readonly Stmt[]): readonly Stmt[] =>
    statements.map((s) => {
      const mapped = mapStatement(s, mark, list);
      if (mapped.kind === 'callMany') return { ...mapped, helper: helpers.get(mapped.helper)! };
      // What is added to an output is rounded again in single precision.
      return mapped;
    });
  return list(body);
}
