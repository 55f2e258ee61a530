import type { FunctorIR } from '../ir.js';
import { forEachExpression, forEachStatement } from './walk.js';

/** `sum`: only added to. `general`: read, or set. */
export type OutputKind = 'sum' | 'general';

/**
 * How each written field of the particle at hand is used. A `sum` is only added to and never looked at, so its terms may
 * be added in any order: lanes may run across neighbors. Anything else needs one lane per particle.
 */
export function sumOutputs(ir: FunctorIR): Map<string, OutputKind> {
  const kinds = new Map<string, OutputKind>();
  forEachStatement(ir.body, (s) => {
    if (s.kind !== 'write' || s.role !== 'i') return;
    const isSum = s.op === '+=' || s.op === '-=';
    if (!isSum) kinds.set(s.field, 'general');
    else if (!kinds.has(s.field)) kinds.set(s.field, 'sum');
  });
  forEachExpression(ir.body, (e) => {
    if (e.kind === 'field' && e.role === 'i' && kinds.has(e.field)) kinds.set(e.field, 'general');
  });
  return kinds;
}
