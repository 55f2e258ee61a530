import type { CallExpression, Expression, Node } from 'acorn';
import { suggesting } from '../error/suggestion.js';
import type { MathBuiltin, MathName } from '../ir.js';
import { type Builtin, helperBuiltins, innerBuiltins, mathBuiltins } from '../library/builtins.js';
import { BUILTIN, builtinOf } from './builtinNames.js';
import type { DraftExpr } from './Draft.js';
import { foldMath } from './fold.js';
import type { ArgumentKind, HelperTemplate } from './HelperTemplate.js';
import { nearest } from './nearest.js';
import { failOuterCall, insteadOfMath } from './outerNames.js';
import type { Translation } from './Translation.js';
import { translateExpression } from './translateExpression.js';
import { memberName } from './translateMember.js';

/** Functions of Math that the representation has; others are helpers of the library. */
type PlainMath = Exclude<MathName, 'mulHigh'>;

/** Number of arguments each Math function takes: exactly, or at least when it ends in infinity. */
const arity: Readonly<Record<PlainMath, readonly [number, number]>> = {
  sqrt: [1, 1],
  abs: [1, 1],
  floor: [1, 1],
  ceil: [1, 1],
  trunc: [1, 1],
  round: [1, 1],
  min: [1, Number.POSITIVE_INFINITY],
  max: [1, Number.POSITIVE_INFINITY],
  pow: [2, 2],
  exp: [1, 1],
  log: [1, 1],
  sin: [1, 1],
  cos: [1, 1],
  tanh: [1, 1],
  sign: [1, 1],
  hypot: [1, Number.POSITIVE_INFINITY],
  fround: [1, 1],
};

type Conversion = 'i32' | 'u32' | 'real';
const isConversion = (name: string): name is Conversion =>
  name === 'i32' || name === 'u32' || name === 'real';

const isTest = (name: string): name is 'isNaN' | 'isFinite' =>
  name === 'isNaN' || name === 'isFinite';

/** What a call calls. */
export type Callee =
  | { readonly kind: 'math'; readonly name: string }
  | { readonly kind: 'test'; readonly name: 'isNaN' | 'isFinite' }
  | { readonly kind: 'mulHigh' }
  | { readonly kind: 'conversion'; readonly to: Conversion }
  | { readonly kind: 'helper'; readonly name: string };

/** Resolves the callee of a call; an unknown one is an error. */
export function resolveCallee(t: Translation, node: CallExpression): Callee {
  let callee = node.callee;
  // `(0, module.f)(x)`: how bundlers write a call of an imported function.
  if (callee.type === 'ParenthesizedExpression') callee = callee.expression;
  if (callee.type === 'SequenceExpression') callee = callee.expressions.at(-1)!;
  if (callee.type === 'MemberExpression' && callee.object.type === 'Identifier') {
    const name = memberName(callee);
    const binding = t.lookup(callee.object.name);
    if (name !== null && binding?.kind === 'helpers') return helperNamed(t, name, callee);
    if (name !== null && !binding && callee.object.name === 'Math') return { kind: 'math', name };
    if (name !== null && !binding && callee.object.name === 'Number' && isTest(name))
      return { kind: 'test', name };
    if (name !== null && !binding && isConversion(name)) return { kind: 'conversion', to: name };
  }
  if (callee.type === 'Identifier') {
    const binding = t.lookup(callee.name);
    if (binding?.kind === 'helper') return helperNamed(t, binding.name, callee);
    if (!binding && isConversion(callee.name)) return { kind: 'conversion', to: callee.name };
    if (!binding && isTest(callee.name)) return { kind: 'test', name: callee.name };
    // What esbuild makes of ** for targets that lack it.
    if (!binding && callee.name === '__pow') return { kind: 'math', name: 'pow' };
    return failOuterCall(t, callee.name, callee);
  }
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    callee,
    `the call of '${t.source.quote(callee)}' cannot be compiled`,
    'call Math functions and helpers (h.name(…)) only',
  );
}

/** The library's name for `h.name`: a helper that the user declares, or a function of the library; null for others. */
export function helperKey(t: Translation, name: string): string | null {
  const builtin = t.kind === 'builtin';
  if (!builtin && t.library.names.includes(name)) return name;
  const table = builtin ? innerBuiltins : helperBuiltins;
  return Object.hasOwn(table, name) ? `${BUILTIN}${name}` : null;
}

function helperNamed(t: Translation, name: string, node: Node): Callee {
  if (isConversion(name)) return { kind: 'conversion', to: name };
  const key = helperKey(t, name);
  if (key !== null) return { kind: 'helper', name: key };
  if (name === 'mulHigh') return { kind: 'mulHigh' };
  const guess = nearest(name, [...t.library.names, ...Object.keys(helperBuiltins)]);
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `the helper '${name}' is not declared${guess ? ` (${suggesting(guess)})` : ''}`,
    'declare it in `helpers`',
  );
}

export function translateCall(t: Translation, node: CallExpression): DraftExpr {
  const callee = resolveCallee(t, node);
  if (callee.kind === 'math') return translateMath(t, callee.name, node);
  if (callee.kind === 'test') {
    const [operand] = translateArguments(t, node, 1, 1, callee.name);
    return { kind: 'test', name: callee.name, operand: operand!, node };
  }
  if (callee.kind === 'mulHigh') {
    const [left, right] = translateArguments(t, node, 2, 2, 'h.mulHigh');
    return { kind: 'imul', half: 'high', left: left!, right: right!, node };
  }
  if (callee.kind === 'conversion') {
    const [operand] = translateArguments(t, node, 1, 1, `h.${callee.to}`);
    return { kind: 'cast', to: callee.to, operand: operand!, node };
  }
  const { helper, args } = translateHelperCall(t, callee.name, node);
  if (helper.shape.many) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      node,
      `the helper '${callee.name.replace(BUILTIN, '')}' returns ${helper.shape.names ? 'an object' : 'an array'} where one number is needed`,
      'take it apart: const [a, b] = … or const { a, b } = …',
    );
  }
  return { kind: 'call', helper, args, node };
}

/** The template of a helper for these arguments, and the arguments that are values. */
export function translateHelperCall(
  t: Translation,
  name: string,
  node: CallExpression,
): { helper: HelperTemplate; args: DraftExpr[] } {
  const builtin = builtinOf(name);
  if (builtin) return translateBuiltinCall(t, name, builtin, node);
  const nodes = node.arguments.map((argument) => {
    if (argument.type !== 'SpreadElement') return argument;
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      argument,
      'a spread argument cannot be compiled',
      'write the arguments out',
    );
  });
  const kinds = nodes.map((argument) => argumentKind(t, argument));
  const helper = t.library.template(name, kinds, (problem, remedy) =>
    t.source.fail('FUNCTOR_TYPE', node, problem, remedy),
  );
  const values = nodes.filter((_, k) => kinds[k] === 'value');
  const args = t.inOrder(values.map((argument) => () => translateExpression(t, argument)));
  return { helper, args };
}

/** Arguments of the library's functions become what these take, and numbers left out are 0. */
function translateBuiltinCall(
  t: Translation,
  name: string,
  builtin: Builtin,
  node: CallExpression,
): { helper: HelperTemplate; args: DraftExpr[] } {
  const [least, most] = builtin.arguments;
  const plain = name.slice(BUILTIN.length);
  const what = builtin.math ? `Math.${plain}` : `h.${plain}`;
  const given = translateArguments(t, node, least, most, what);
  const args = given.map((arg): DraftExpr => {
    if (builtin.takes === 'any') return arg;
    if (builtin.takes === 'real') return { kind: 'cast', to: 'real', operand: arg, node: arg.node };
    const zero: DraftExpr = { kind: 'number', value: 0, node: arg.node };
    return { kind: 'bits', op: '>>>', left: arg, right: zero, node: arg.node };
  });
  for (let k = args.length; k < most; k++) args.push({ kind: 'number', value: 0, node });
  const kinds: ArgumentKind[] = args.map(() => 'value');
  if (builtin.takesLibrary) kinds.push('helpers');
  const helper = t.library.template(name, kinds, (problem, remedy) =>
    t.source.fail('FUNCTOR_TYPE', node, problem, remedy),
  );
  return { helper, args };
}

/** Only the helper and the constant argument can be handed on as a whole; every other argument must be a number. */
function argumentKind(t: Translation, node: Expression): ArgumentKind {
  if (node.type !== 'Identifier') return 'value';
  const binding = t.lookup(node.name);
  if (binding?.kind === 'helpers' || binding?.kind === 'constants') return binding.kind;
  if (
    binding?.kind === 'role' ||
    binding?.kind === 'record' ||
    (binding?.kind === 'local' && binding.local.size > 0)
  ) {
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `'${node.name}' is handed to a helper as a whole`,
      'hand over the numbers the helper needs, one by one',
    );
  }
  return 'value';
}

function translateMath(t: Translation, name: string, node: CallExpression): DraftExpr {
  if (name === 'imul') {
    const [left, right] = translateArguments(t, node, 2, 2, 'Math.imul');
    return { kind: 'imul', half: 'low', left: left!, right: right!, node };
  }
  if (Object.hasOwn(mathBuiltins, name)) return translateMathBuiltin(t, name as MathBuiltin, node);
  if (!Object.hasOwn(arity, name)) {
    const known = [...Object.keys(arity), ...Object.keys(mathBuiltins)];
    const instead = insteadOfMath(name);
    const guess = instead ? null : nearest(name, known);
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node.callee,
      `Math.${name} is not supported${guess ? ` (did you mean Math.${guess}?)` : ''}`,
      instead ?? `use ${known.join(', ')}, or write it as a helper`,
    );
  }
  const math = name as PlainMath;
  const [least, most] = arity[math];
  const args = translateArguments(t, node, least, most, `Math.${name}`);
  if (args.length === 1 && (math === 'min' || math === 'max')) return args[0]!;
  if (math === 'min' || math === 'max') {
    return args.slice(1).reduce((left, right) => foldMath(math, [left, right], node), args[0]!);
  }
  return foldMath(math, args, node);
}

/** Of number literals it is what JavaScript says, as in the direct call. */
function translateMathBuiltin(t: Translation, name: MathBuiltin, node: CallExpression): DraftExpr {
  const { helper, args } = translateBuiltinCall(t, `${BUILTIN}${name}`, mathBuiltins[name], node);
  const numbers = args.map((arg) =>
    arg.kind === 'cast' && arg.operand.kind === 'number' ? arg.operand.value : null,
  );
  if (numbers.includes(null)) return { kind: 'call', helper, args, node };
  const fn = Math[name] as (...values: number[]) => number;
  return { kind: 'number', value: fn(...(numbers as number[])), node };
}

function translateArguments(
  t: Translation,
  node: CallExpression,
  least: number,
  most: number,
  what: string,
): DraftExpr[] {
  const count = node.arguments.length;
  if (count < least || count > most) {
    const wanted = least === most ? `${least}` : `at least ${least}`;
    t.source.fail(
      'FUNCTOR_TYPE',
      node,
      `${what} takes ${wanted} argument${wanted === '1' ? '' : 's'}, not ${count}`,
      'correct the call',
    );
  }
  return t.inOrder(
    node.arguments.map((argument) => () => {
      if (argument.type === 'SpreadElement') {
        return t.source.fail(
          'FUNCTOR_UNSUPPORTED',
          argument,
          'a spread argument cannot be compiled',
          'write the arguments out',
        );
      }
      return translateExpression(t, argument);
    }),
  );
}
