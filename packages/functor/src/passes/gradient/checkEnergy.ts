import type { Expr, Stmt } from '../../ir.js';
import type { GradientSchema } from '../../schema.js';
import { forEachExpression, forEachStatement } from '../walk.js';
import type { Fail } from './Fail.js';

/**
 * Checks that an energy can be derived: it is only added to, depends on places, and what follows from it is not written.
 * @param depends whether a value depends on the places of neighbors.
 */
export function checkEnergy(
  body: readonly Stmt[],
  { of, into, virial }: GradientSchema,
  depends: (value: Expr) => boolean,
  fail: Fail,
): void {
  let isActive = false;
  const writers = new Map<string, Expr>();
  forEachStatement(body, (s) => {
    if (s.kind !== 'write' && s.kind !== 'writeItem') return;
    isActive ||= s.field === of && depends(s.value);
    if ([...into, ...(virial ?? [])].includes(s.field))
      fail(s.value, `'${s.field}' follows from '${of}'`, 'do not write it');
    if (s.field === of && s.op !== '+=' && s.op !== '-=')
      fail(s.value, `the energy '${of}' is overwritten`, 'only add to it (+= or -=)');
    writers.set(s.field, s.value);
  });
  forEachExpression(body, (e) => {
    if ((e.kind === 'field' || e.kind === 'item') && e.field === of && e.role !== 'p')
      fail(e, `the energy '${of}' is read`, 'only add to it (+= or -=)');
  });
  if (!isActive)
    fail(
      writers.get(of) ?? null,
      `nothing that depends on the positions of neighbors is added to '${of}'`,
      'add an energy to it, or drop gradient',
    );
}
