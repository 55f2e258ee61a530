import type { Expression, MemberExpression, Node, PrivateIdentifier, Super } from 'acorn';
import type { ArithmeticOp, BitOp, CompareOp, RoleName } from '../ir.js';
import type { DraftExpr, Local } from './Draft.js';
import { foldBinary, foldCompare, foldMath } from './fold.js';
import { mathConstant } from './mathConstant.js';
import type { Translation } from './Translation.js';
import { assignAndRead, updateAndRead } from './translateAssignment.js';
import { translateCall } from './translateCall.js';
import { declareArray, filledArray } from './translateDeclaration.js';
import { translateEffect } from './translateEffect.js';
import { memberOfTuple, translateTuple } from './translateTuple.js';

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
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${name}' is not defined inside the function, and functors cannot capture outer variables`,
    t.kind === 'functor'
      ? 'declare it in params (varies from call to call), constants (read as c.name) or helpers (called as h.name)'
      : 'pass it to the helper as an argument',
  );
}

/** A field of a role, checked to exist and to be readable. */
export function readField(t: Translation, role: RoleName, field: string, node: Node): DraftExpr {
  const info = fieldInfo(t, role, field, node);
  if (info.array) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      node,
      `'${field}' is an array and cannot be used as a number`,
      `read one element, ${field}[k]`,
    );
  }
  if (role === 'acc') {
    return t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `the result '${field}' is read, but particles are visited in no fixed order`,
      `add to it (acc.${field} += …) or write acc.${field} = Math.max(acc.${field}, …) as its declaration says`,
    );
  }
  return { kind: 'field', role, field, info, node };
}

export function fieldInfo(t: Translation, role: RoleName, field: string, node: Node) {
  const fields = t.roles[role] ?? {};
  const info = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (info) return info;
  const known = Object.keys(fields).join(', ') || 'none';
  return t.source.fail(
    'FUNCTOR_NAME',
    node,
    `'${field}' is not declared (known here: ${known})`,
    declareRemedy[role],
  );
}

const declareRemedy: Readonly<Record<RoleName, string>> = {
  i: 'declare it among the fields of the functor, or as `read`',
  j: 'declare it in `neighbour`',
  d: 'the displacement has x, y, z and r2',
  p: 'declare it in `params`',
  acc: 'declare it in `result`',
  b: 'a block has index, x, y, z, lane and size',
  a: 'declare it in `arrays`, or in `read`',
};

/** What `object.name` stands for, when object is a name. */
export function memberName(node: MemberExpression): string | null {
  if (!node.computed && node.property.type === 'Identifier') return node.property.name;
  if (
    node.computed &&
    node.property.type === 'Literal' &&
    typeof node.property.value === 'string'
  ) {
    return node.property.value;
  }
  return null;
}

function translateMember(t: Translation, node: MemberExpression): DraftExpr {
  const name = memberName(node);
  const { object, property } = node;
  // One of several values, known which: h.f(x)[1].
  const known = node.computed && property.type === 'Literal' && object.type !== 'Identifier';
  const picked = known ? memberOfTuple(t, node) : null;
  if (picked) return picked;
  const item = indexed(t, node);
  if (item) return item;
  if (name !== null && object.type === 'Identifier') {
    const binding = t.lookup(object.name);
    if (binding?.kind === 'role') return readField(t, binding.role, name, node);
    if (binding?.kind === 'constants') {
      const value = Object.hasOwn(t.constants, name) ? t.constants[name] : undefined;
      if (value !== undefined) return { kind: 'number', value, node };
      const known = Object.keys(t.constants).join(', ') || 'none';
      return t.source.fail(
        'FUNCTOR_NAME',
        node,
        `the constant '${name}' is not declared (known here: ${known})`,
        'declare it in `constants`',
      );
    }
    if (binding?.kind === 'local' && binding.local.size > 0 && name === 'length') {
      return { kind: 'number', value: binding.local.size, node };
    }
    if (!binding) {
      const value = mathConstant(object.name, name);
      if (value !== undefined) return { kind: 'number', value, node };
    }
  }
  const value = memberOfTuple(t, node);
  if (value) return value;
  return t.source.fail(
    'FUNCTOR_UNSUPPORTED',
    node,
    `'${t.source.quote(node)}' cannot be compiled`,
    'read fields of the arguments, elements of arrays, and constants such as Math.PI',
  );
}

/** `a[k]` of a local array, a table or an array argument; null for any other member expression. */
export function indexed(
  t: Translation,
  node: MemberExpression,
): Extract<DraftExpr, { kind: 'element' | 'item' }> | null {
  const target = indexTarget(t, node);
  if (!target || !node.computed) return null;
  const property = node.property as Expression;
  const index = translateExpression(t, property);
  if ('role' in target) {
    return { kind: 'item', role: target.role, field: target.field, info: target.info, index, node };
  }
  const { local } = target;
  if (index.kind !== 'number') local.dynamic = true;
  else if (!Number.isInteger(index.value) || index.value < 0 || index.value >= local.size) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      property,
      `index ${index.value} is outside the array '${local.name}' of ${local.size}`,
      `use 0 to ${local.size - 1}`,
    );
  }
  return { kind: 'element', local, index, node };
}

function indexTarget(t: Translation, node: MemberExpression) {
  if (!node.computed || memberName(node) !== null) return null;
  const { object } = node;
  if (object.type === 'Identifier') {
    const binding = t.lookup(object.name);
    if (binding?.kind === 'local' && binding.local.size > 0) return { local: binding.local };
    if (binding?.kind === 'field') return arrayField(t, binding.role, binding.field, object);
    if (binding?.kind === 'local') {
      return t.source.fail(
        'FUNCTOR_TYPE',
        object,
        `'${object.name}' is a number and has no elements`,
        'index arrays and tables only',
      );
    }
    return null;
  }
  if (object.type === 'Super') return null;
  if (object.type === 'MemberExpression' && object.object.type === 'Identifier') {
    const name = memberName(object);
    const binding = t.lookup(object.object.name);
    if (name !== null && binding?.kind === 'role') return arrayField(t, binding.role, name, object);
  }
  return namelessArray(t, object);
}

/** An array without a name: minifiers put one that is used once where it is used. */
function namelessArray(t: Translation, node: Expression): { local: Local } | null {
  const tuple = filledArray(t, node) ?? translateTuple(t, node);
  if (!tuple || tuple.names) return null;
  return { local: declareArray(t, 't', tuple.values, node) };
}

function arrayField(t: Translation, role: RoleName, field: string, node: Node) {
  const info = fieldInfo(t, role, field, node);
  if (!info.array) {
    return t.source.fail(
      'FUNCTOR_TYPE',
      node,
      `'${field}' is a number and has no elements`,
      role === 'p' ? `declare it as a table, ${field}: 'real[]'` : 'index arrays and tables only',
    );
  }
  return { role, field, info };
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
    case 'ThisExpression':
      return 'everything a functor needs arrives as an argument';
    default:
      return 'see the list of supported syntax in docs/functors.md, or keep the functor on the CPU with traits: { gpu: false }';
  }
}
