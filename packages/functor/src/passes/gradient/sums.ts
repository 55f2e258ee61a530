import type { Expr, Stmt, Variable } from '../../ir.js';
import { forEachExpression, forEachStatement } from '../walk.js';
import type { Fail } from './Fail.js';
import { isVariable } from './Loop.js';

/** What an assignment `v = v ± term` adds; null for any other. */
export function addedTerm(
  s: Extract<Stmt, { kind: 'assign' }>,
): { op: '+' | '-'; term: Expr } | null {
  const { variable, value } = s;
  if (value.kind !== 'binary' || (value.op !== '+' && value.op !== '-')) return null;
  if (isVariable(value.left, variable)) return { op: value.op, term: value.right };
  if (value.op === '+' && isVariable(value.right, variable)) return { op: '+', term: value.left };
  return null;
}

/** A variable from outside that a loop changes must be a sum, which the loop adds to and does not look at. */
export function checkSum(body: readonly Stmt[], variable: Variable, fail: Fail): void {
  const remedy = `only add to '${variable.name}' in the loop, or declare it inside`;
  let own = 0;
  let reads = 0;
  forEachStatement(body, (s) => {
    if (s.kind !== 'assign' || s.variable !== variable) return;
    if (addedTerm(s) === null)
      fail(s.value, `'${variable.name}' is declared outside of the loop and changed in it`, remedy);
    own++;
  });
  forEachExpression(body, (e) => {
    if (isVariable(e, variable) && ++reads > own)
      fail(e, `'${variable.name}' is added to and read in one loop`, remedy);
  });
}
