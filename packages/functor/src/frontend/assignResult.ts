import type { AssignmentExpression, Expression, Node } from 'acorn';
import type { DraftExpr, Target } from './Draft.js';
import type { Translation } from './Translation.js';
import { store } from './translateAssignment.js';
import { translateExpression } from './translateExpression.js';
import { memberName } from './translateMember.js';

export type FieldTarget = Extract<Target, { kind: 'field' }>;

function isField(t: Translation, target: FieldTarget, node: Node): boolean {
  if (node.type === 'ParenthesizedExpression')
    return isField(t, target, (node as { expression?: Node }).expression!);
  if (node.type !== 'MemberExpression') return false;
  const member = node as Extract<Expression, { type: 'MemberExpression' }>;
  if (member.object.type !== 'Identifier' || memberName(member) !== target.field) return false;
  const binding = t.lookup(member.object.name);
  return binding?.kind === 'role' && binding.role === target.role;
}

/** Recognizes `f + e`, `e + f` and `f − e` for the field f being assigned. */
export function sumOf(
  t: Translation,
  target: FieldTarget,
  node: Expression,
): { op: '+' | '-'; value: Expression } | null {
  if (node.type === 'ParenthesizedExpression') return sumOf(t, target, node.expression);
  if (node.type !== 'BinaryExpression') return null;
  const left = node.left as Expression;
  if (node.operator === '+' && isField(t, target, left)) return { op: '+', value: node.right };
  if (node.operator === '+' && isField(t, target, node.right)) return { op: '+', value: left };
  if (node.operator === '-' && isField(t, target, left)) return { op: '-', value: node.right };
  return null;
}

/** Results declared `real` are variables: read and written as the functor likes. */
export const isFreeResult = (t: Translation, field: string): boolean =>
  /^real(\[|$)/.test(t.library.resultOps[field] ?? '');

/** Assignments to a result: only the operation its declaration names. */
export function assignResult(
  t: Translation,
  target: FieldTarget,
  op: string,
  node: AssignmentExpression,
): void {
  if (op === '+' || op === '-') {
    assignable(t, target, 'sum', node);
    store(t, target, op, () => translateExpression(t, node.right), node);
    return;
  }
  const sum = op === '' ? sumOf(t, target, node.right) : null;
  if (sum) {
    assignable(t, target, 'sum', node);
    store(t, target, sum.op, () => translateExpression(t, sum.value), node);
    return;
  }
  const extreme = op === '' ? extremeOf(t, target, node.right) : null;
  if (!extreme) {
    t.source.fail(
      'FUNCTOR_UNSUPPORTED',
      node,
      `the result '${target.field}' is written in a way that depends on the order of particles`,
      `write acc.${target.field} += e, or acc.${target.field} = Math.max(acc.${target.field}, e)`,
    );
  }
  assignable(t, target, extreme.op, node);
  const values = t.inOrder(extreme.values.map((value) => () => translateExpression(t, value)));
  const value = values
    .slice(1)
    .reduce(
      (left, right): DraftExpr => ({ kind: 'math', name: extreme.op, args: [left, right], node }),
      values[0]!,
    );
  t.out.push({ ...target, kind: 'write', op: extreme.op, value, node });
}

function extremeOf(t: Translation, target: FieldTarget, node: Expression) {
  if (node.type !== 'CallExpression' || node.callee.type !== 'MemberExpression') return null;
  const { callee } = node;
  const name = memberName(callee);
  if (callee.object.type !== 'Identifier' || callee.object.name !== 'Math') return null;
  if (name !== 'max' && name !== 'min') return null;
  const values: Expression[] = [];
  for (const argument of node.arguments) {
    if (argument.type === 'SpreadElement') return null;
    if (!isField(t, target, argument)) values.push(argument);
  }
  if (values.length === 0 || values.length === node.arguments.length) return null;
  return { op: name as 'max' | 'min', values };
}

export function assignable(
  t: Translation,
  target: FieldTarget,
  op: 'sum' | 'max' | 'min',
  node: Node,
): void {
  const declared = t.library.resultOps[target.field];
  if (declared === undefined || declared === op || declared === `arg${op}`) return;
  t.source.fail(
    'FUNCTOR_TYPE',
    node,
    `the result '${target.field}' is declared '${declared}' but written as '${op}'`,
    `declare it '${op}', or write it as declared`,
  );
}
