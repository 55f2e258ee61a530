import type { Expression, Node, PrivateIdentifier, Super } from 'acorn';
import type { ArithmeticOp, BitOp, CompareOp } from '../ir.js';
import type { DraftExpr } from './Draft.js';
import { foldBinary, foldCompare, foldMath } from './fold.js';
import { failOuter } from './outerNames.js';
import type { Translation } from './Translation.js';
import { assignAndRead, updateAndRead } from './translateAssignment.js';
import { translateCall } from './translateCall.js';
import { translateEffect } from './translateEffect.js';
import { readField, translateMember } from './translateMember.js';

const comparisons: Readonly<Record<string, CompareOp>> = {
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
  '==': '==',
  '===': '==',
  '!=': '!=',
  '!==': '!=',
};
const arithmetic: ReadonlySet<string> = new Set(['+', '-', '*', '/', '%']);
const bitOperators: ReadonlySet<string> = new Set(['&', '|', '^', '<<', '>>', '>>>']);

/** Syntax tree → draft expression; effects inside the expression become statements before it. */
export function translateExpression(
  t: Translation,
  node: Expression | PrivateIdentifier | Super,
): DraftExpr {
  switch (node.type) {
    case 'ParenthesizedExpression':
      return translateExpression(t, node.expression);
    case 'Literal':
      if (typeof node.value === 'boolean') return { kind: 'boolean', value: node.value, node };
      if (typeof node.value === 'number') return { kind: 'number', value: node.value, node };
      return t.source.fail(
        'FUNCTOR_UNSUPPORTED',
        node,
        `${t.source.quote(node)} is neither a number nor true or false`,
        'functors compute with numbers and truth values only',
      );
    case 'Identifier':
      return translateName(t, node.name, node);
    case 'MemberExpression':
      return translateMember(t, node);
    case 'UnaryExpression':
      return translateUnary(t, node.operator, node.argument, node);
    case 'BinaryExpression': {
      const { left: l, right: r, operator } = node;
      const [left, right] = t.inOrder([
        () => translateExpression(t, l),
        () => translateExpression(t, r),
      ]);
      return combine(t, operator, left!, right!, node);
    }
    case 'LogicalExpression':
      return translateLogic(t, node.operator, node.left, node.right, node);
    case 'ConditionalExpression':
      return translateConditional(t, node.test, node.consequent, node.alternate, node);
    case 'CallExpression':
      return translateCall(t, node);
    case 'SequenceExpression': {
      for (const part of node.expressions.slice(0, -1)) translateEffect(t, part);
      return translateExpression(t, node.expressions.at(-1)!);
    }
    case 'AssignmentExpression':
      return assignAndRead(t, node);
    case 'UpdateExpression':
      return updateAndRead(t, node);
    default:
      return t.source.fail(
        'FUNCTOR_UNSUPPORTED',
        node,
        `${describe(node.type)} cannot be compiled`,
        remedyFor(node.type),
      );
  }
}

/** `left op right` for every operator of the language, with literals folded. */
export function combine(
  t: Translation,
  op: string,
  left: DraftExpr,
  right: DraftExpr,
  node: Node,
): DraftExpr {
  if (op === '**') return foldMath('pow', [left, right], node);
  const comparison = comparisons[op];
  if (comparison) return foldCompare(comparison, left, right, node, op.length === 2);
  if (arithmetic.has(op)) return foldBinary(op as ArithmeticOp, left, right, node);
  if (bitOperators.has(op)) return { kind: 'bits', op: op as BitOp, left, right, node };
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `operator '${op}' is not supported`,
    'use arithmetic, comparisons, && || ! and bit operations',
  );
}

function translateName(t: Translation, name: string, node: Node): DraftExpr {
  const binding = t.lookup(name);
  switch (binding?.kind) {
    case 'local':
      if (binding.local.size > 0) {
        return t.source.fail(
          'FUNCTOR_TYPE',
          node,
          `the array '${name}' is used as a number`,
          `read one element, ${name}[k]`,
        );
      }
      return t.read(binding.local, node);
    case 'field':
      return readField(t, binding.role, binding.field, node);
    case 'constant':
      return { kind: 'number', value: binding.value, node };
    case undefined:
      break;
    default:
      return t.source.fail(
        'FUNCTOR_TYPE',
        node,
        `'${name}' is not a number`,
        `read what you need from it, ${name}.field`,
      );
  }
  if (name === 'Infinity') return { kind: 'number', value: Number.POSITIVE_INFINITY, node };
  if (name === 'NaN') return { kind: 'number', value: Number.NaN, node };
  return failOuter(t, name, node);
}

function translateUnary(t: Translation, op: string, argument: Expression, node: Node): DraftExpr {
  if (op === 'void' || op === 'typeof' || op === 'delete') {
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `operator '${op}' cannot be compiled`,
      'leave it out',
    );
  }
  const operand = translateExpression(t, argument);
  if (operand.kind === 'number') {
    if (op === '-') return { kind: 'number', value: -operand.value, node };
    if (op === '+') return operand;
    if (op === '~') return { kind: 'number', value: ~operand.value, node };
    return { kind: 'boolean', value: !operand.value, node };
  }
  if (operand.kind === 'boolean' && op === '!')
    return { kind: 'boolean', value: !operand.value, node };
  return { kind: 'unary', op: op as '-' | '!' | '~' | '+', operand, node };
}

function translateLogic(
  t: Translation,
  op: string,
  l: Expression,
  r: Expression,
  node: Node,
): DraftExpr {
  if (op !== '&&' && op !== '||') {
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `operator '${op}' cannot be compiled`,
      'numbers are never null: leave it out',
    );
  }
  const left = translateExpression(t, l);
  let right: DraftExpr | undefined;
  const effects = t.collect(() => {
    right = translateExpression(t, r);
  });
  if (effects.length === 0) return { kind: 'logic', op, left, right: right!, node };
  const result = t.declare('t', left, node, false);
  const then: DraftExpr =
    op === '&&'
      ? t.read(result, node)
      : { kind: 'unary', op: '!', operand: t.read(result, node), node };
  const body = t.collect(() => {
    t.out.push(...effects);
    t.assign(result, right!, node);
  });
  t.out.push({ kind: 'if', condition: then, then: body, else: [], node });
  return t.read(result, node);
}

function translateConditional(
  t: Translation,
  test: Expression,
  yes: Expression,
  no: Expression,
  node: Node,
): DraftExpr {
  const condition = translateExpression(t, test);
  let a: DraftExpr | undefined;
  let b: DraftExpr | undefined;
  const first = t.collect(() => {
    a = translateExpression(t, yes);
  });
  const second = t.collect(() => {
    b = translateExpression(t, no);
  });
  if (first.length + second.length === 0) {
    if (condition.kind === 'boolean') return condition.value ? a! : b!;
    return { kind: 'select', condition, then: a!, else: b!, node };
  }
  const result = t.declare('t', null, node, false);
  const branch = (effects: readonly (typeof first)[number][], value: DraftExpr) =>
    t.collect(() => {
      t.out.push(...effects);
      t.assign(result, value, node);
    });
  t.out.push({ kind: 'if', condition, then: branch(first, a!), else: branch(second, b!), node });
  return t.read(result, node);
}

function describe(type: string): string {
  const words = type.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  return /^[aeiou]/.test(words) ? `an ${words}` : `a ${words}`;
}

function remedyFor(type: string): string {
  switch (type) {
    case 'ArrayExpression':
    case 'NewExpression':
      return 'give the array a name of its own: const a = [0, 0, 0]';
    case 'ObjectExpression':
      return 'use separate variables, or return the object from a helper';
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
      return 'declare the function in `helpers` and call it as h.name(…)';
    case 'TemplateLiteral':
    case 'TaggedTemplateExpression':
      return 'functors compute with numbers and truth values only';
    case 'ChainExpression':
      return 'arguments and their fields are always there: write . in place of ?.';
    case 'ThisExpression':
      return 'everything a functor needs arrives as an argument';
    default:
      return 'see the list of supported syntax in docs/functors.md, or keep the functor on the CPU with traits: { gpu: false }';
  }
}
