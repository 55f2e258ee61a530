import type { Node } from 'acorn';
import type { ArithmeticOp, CompareOp, MathName } from '../ir.js';
import type { DraftExpr } from './Draft.js';

/** Number literals meet in the front end: JavaScript's own arithmetic, so the direct call sees the same value. */
export function foldBinary(
  op: ArithmeticOp,
  left: DraftExpr,
  right: DraftExpr,
  node: Node,
): DraftExpr {
  if (left.kind !== 'number' || right.kind !== 'number')
    return { kind: 'binary', op, left, right, node };
  const a = left.value;
  const b = right.value;
  const value =
    op === '+' ? a + b : op === '-' ? a - b : op === '*' ? a * b : op === '/' ? a / b : a % b;
  return { kind: 'number', value, node };
}

export function foldCompare(
  op: CompareOp,
  left: DraftExpr,
  right: DraftExpr,
  node: Node,
  loose: boolean,
): DraftExpr {
  if (left.kind !== 'number' || right.kind !== 'number') {
    return { kind: 'compare', op, loose, left, right, node };
  }
  const a = left.value;
  const b = right.value;
  const table: Record<CompareOp, boolean> = {
    '<': a < b,
    '>': a > b,
    '<=': a <= b,
    '>=': a >= b,
    '==': a === b,
    '!=': a !== b,
  };
  return { kind: 'boolean', value: table[op], node };
}

export function foldMath(
  name: Exclude<MathName, 'mulHigh'>,
  args: readonly DraftExpr[],
  node: Node,
): DraftExpr {
  const numbers = args.map((arg) => (arg.kind === 'number' ? arg.value : null));
  if (numbers.some((value) => value === null)) return { kind: 'math', name, args, node };
  const fn = Math[name] as (...values: number[]) => number;
  return { kind: 'number', value: fn(...(numbers as number[])), node };
}
