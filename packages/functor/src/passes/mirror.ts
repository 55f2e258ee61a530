import type { Expr, Variable } from '../ir.js';
import { operandsOf } from './walk.js';

/**
 * Is `b` what `a` becomes when i and j change places? True for i.vx and j.vx, also through variables that are defined
 * once; anything that involves the displacement is left to the sign rules.
 */
export function isMirror(a: Expr, b: Expr, definitions: ReadonlyMap<Variable, Expr>): boolean {
  const x = resolve(a, definitions);
  const y = resolve(b, definitions);
  if (x.kind !== y.kind || x.type !== y.type) return false;
  switch (x.kind) {
    case 'number':
      return y.kind === 'number' && Object.is(x.value, y.value);
    case 'field': {
      if (y.kind !== 'field' || x.field !== y.field) return false;
      if (x.role === 'i') return y.role === 'j';
      if (x.role === 'j') return y.role === 'i';
      return x.role === y.role && (x.role === 'p' || (x.role === 'd' && x.field === 'r2'));
    }
    case 'item':
      if (y.kind !== 'item' || x.role !== y.role || x.field !== y.field) return false;
      break;
    case 'unary':
    case 'binary':
      if (!('op' in y) || x.op !== y.op) return false;
      break;
    case 'math':
      if (y.kind !== 'math' || x.name !== y.name) return false;
      break;
    case 'cast':
      break;
    default:
      return false;
  }
  const [left, right] = [operandsOf(x), operandsOf(y)];
  return (
    left.length === right.length &&
    left.every((operand, k) => isMirror(operand, right[k]!, definitions))
  );
}

function resolve(e: Expr, definitions: ReadonlyMap<Variable, Expr>): Expr {
  let expr = e;
  for (let depth = 0; depth < 64 && expr.kind === 'variable'; depth++) {
    const definition = definitions.get(expr.variable);
    if (!definition) break;
    expr = definition;
  }
  return expr;
}
