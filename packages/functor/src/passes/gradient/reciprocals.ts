import type { Expr, Stmt, Variable } from '../../ir.js';
import { number, product } from '../derivative/algebra.js';
import { forEachExpression, mapOperands, mapStatement } from '../walk.js';

/**
 * Divides once by a variable that is divided by several times: derivatives of 1/r divide by r again and again, and a division
 * takes as long as five products. The reciprocals are all the same, and are then computed once.
 *
 *   a / r + b / r  →  a · (1 / r) + b · (1 / r)
 */
export function reciprocals(body: readonly Stmt[]): Stmt[] {
  const divisions = new Map<Variable, number>();
  forEachExpression(body, (e) => {
    const by = divisorOf(e);
    if (by) divisions.set(by, (divisions.get(by) ?? 0) + 1);
  });
  const expression = (e: Expr): Expr => {
    const inner = mapOperands(e, expression);
    const by = divisorOf(inner);
    if (!by || inner.kind !== 'binary' || divisions.get(by)! < 2) return inner;
    return product(inner.left, { ...inner, left: number(1) });
  };
  const list = (statements: readonly Stmt[]): Stmt[] =>
    statements.map((s) => mapStatement(s, expression, list));
  return list(body);
}

const divisorOf = (e: Expr): Variable | null =>
  e.kind === 'binary' && e.op === '/' && e.type === 'real' && e.right.kind === 'variable'
    ? e.right.variable
    : null;
