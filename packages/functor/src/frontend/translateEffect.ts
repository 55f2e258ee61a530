import type { CallExpression, Expression } from 'acorn';
import { isCounter } from './coverage.js';
import type { DraftStmt } from './Draft.js';
import { filledArray } from './localArrays.js';
import type { Translation } from './Translation.js';
import { assignNode, updateNode } from './translateAssignment.js';
import { translateExpression } from './translateExpression.js';
import { memberName } from './translateMember.js';
import { translateTuple } from './translateTuple.js';

/** An expression used as a statement. Minifiers turn statements into sequences, `c && (…)`, `c ? … : …` and `void …`. */
export function translateEffect(t: Translation, node: Expression): void {
  if (isCounter(t, node)) return;
  switch (node.type) {
    case 'ParenthesizedExpression':
      translateEffect(t, node.expression);
      return;
    case 'AssignmentExpression':
      assignNode(t, node);
      return;
    case 'UpdateExpression':
      updateNode(t, node);
      return;
    case 'SequenceExpression':
      for (const part of node.expressions) translateEffect(t, part);
      return;
    case 'LogicalExpression': {
      if (node.operator === '??') break;
      const left = translateExpression(t, node.left);
      const then = t.collect(() => translateEffect(t, node.right));
      if (then.length === 0) return;
      const condition =
        node.operator === '&&' ? left : ({ kind: 'unary', op: '!', operand: left, node } as const);
      t.out.push({ kind: 'if', condition, then, else: [], node });
      return;
    }
    case 'ConditionalExpression': {
      const condition = translateExpression(t, node.test);
      const then = t.collect(() => translateEffect(t, node.consequent));
      const otherwise = t.collect(() => translateEffect(t, node.alternate));
      const statement: DraftStmt = { kind: 'if', condition, then, else: otherwise, node };
      if (then.length + otherwise.length > 0) t.out.push(statement);
      return;
    }
    case 'UnaryExpression':
      if (node.operator === 'void' || node.operator === '!') {
        if (node.argument.type === 'Literal') return;
        translateEffect(t, node.argument);
        return;
      }
      break;
    case 'CallExpression':
      if (isBarrier(t, node)) {
        t.out.push({ kind: 'barrier', node });
        return;
      }
      break;
    case 'BinaryExpression':
      if (/^===?$/.test(node.operator))
        t.source.fail(
          'FUNCTOR_UNSUPPORTED',
          node,
          `'${t.source.quote(node)}' compares, and nothing is done with the answer`,
          'write = to assign',
        );
      break;
    case 'Identifier':
      if (node.name === 'undefined') return;
      break;
    default:
      break;
  }
  // Minifiers leave the values of unused variables behind: their effects count, the value is dropped.
  if (filledArray(t, node) === null && translateTuple(t, node) === null)
    translateExpression(t, node);
}

/** `b.barrier()` */
function isBarrier(t: Translation, { callee }: CallExpression): boolean {
  if (callee.type !== 'MemberExpression' || memberName(callee) !== 'barrier') return false;
  const binding = callee.object.type === 'Identifier' ? t.lookup(callee.object.name) : undefined;
  if (binding?.kind !== 'role') return false;
  // A buffer has lanes where a block shares it.
  return binding.role === 'b' || (binding.role === 'n' && 'lanes' in (t.roles.n ?? {}));
}
