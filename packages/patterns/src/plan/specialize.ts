import type { Functor } from '@corpuscle/functor';
import type { CompareOp, Expr, FunctorIR, Stmt } from '@corpuscle/functor/ir';
import { mapOperands, mapStatement } from '@corpuscle/functor/passes';
import type { ParameterValues } from './calls.js';
import { scalarTables } from './scalarTables.js';

/**
 * Fits a functor to the shape of its parameters, so that one source costs no more than the case at hand needs:
 * - tables of one number become scalars: `p.table[k]` is `p.table`, and what computed k becomes dead code
 * - comparisons of an integer parameter with a number are decided, and branches that depend on them chosen
 * - given the cutoff of the call, comparisons of `d.r2` with a parameter that is rcut² or more are decided: patterns
 *   only pass on pairs with r2 < rcut²
 *
 * Only the outcome of such comparisons matters, so there are few variants however many values there are; `choices`
 * names the one that was made.
 */
export function specialize(
  source: FunctorIR,
  params: ParameterValues,
  rcut = Infinity,
): { readonly ir: FunctorIR; readonly choices: string } {
  const ir = scalarTables(source, params);
  let choices = Object.entries(ir.roles.p ?? {})
    .map(([, field]) => (field.array ? 't' : 's'))
    .join('');
  const expression = (e: Expr): Expr => {
    const mapped = fold(mapOperands(e, expression));
    const decided = decide(mapped, params) ?? decideByCutoff(mapped, params, rcut);
    if (decided === null) {
      if (mapped.kind === 'compare') choices += '?';
      return mapped;
    }
    choices += decided ? '1' : '0';
    return { kind: 'boolean', type: 'bool', value: decided };
  };
  const list = (body: readonly Stmt[]): readonly Stmt[] =>
    body.flatMap((s) => {
      const mapped = mapStatement(s, expression, list);
      if (mapped.kind !== 'if' || mapped.condition.kind !== 'boolean') return [mapped];
      return mapped.condition.value ? mapped.then : mapped.else;
    });
  return { ir: { ...ir, body: list(ir.body) }, choices };
}

/** Names all of the parameters that `specialize` looks at: where it is the same, so is the outcome. */
export function shapeKey(functor: Functor, params: ParameterValues): string {
  let key = '|';
  for (const [name, { type, array }] of Object.entries(functor.ir!.roles.p ?? {})) {
    const value = params[name];
    if (typeof value === 'object') key += `,${array && value.length === 1 ? 1 : 0}`;
    else if (type !== 'real') key += `,${value}`;
  }
  return key;
}

const compare: Record<CompareOp, (a: number, b: number) => boolean> = {
  '<': (a, b) => a < b,
  '>': (a, b) => a > b,
  '<=': (a, b) => a <= b,
  '>=': (a, b) => a >= b,
  '==': (a, b) => a === b,
  '!=': (a, b) => a !== b,
};

function decide(e: Expr, params: ParameterValues): boolean | null {
  if (e.kind !== 'compare') return null;
  const value = (side: Expr): number | null => {
    if (side.kind === 'number') return side.value;
    if (side.kind !== 'field' || side.role !== 'p' || side.type === 'real') return null;
    const given = params[side.field];
    return typeof given === 'number' ? given : null;
  };
  const [left, right] = [value(e.left), value(e.right)];
  return left === null || right === null ? null : compare[e.op](left, right);
}

/** Whether a parameter, a number or a table of one, is no less than the square of the cutoff. */
export function coversCutoff(value: number | ArrayLike<number> | undefined, rcut: number): boolean {
  const only = typeof value === 'object' && value.length === 1 ? value[0] : value;
  return typeof only === 'number' && only >= rcut * rcut;
}

function decideByCutoff(e: Expr, params: ParameterValues, rcut: number): boolean | null {
  if (e.kind !== 'compare' || e.op === '==' || e.op === '!=') return null;
  const isR2 = (side: Expr) => side.kind === 'field' && side.role === 'd' && side.field === 'r2';
  const covers = (side: Expr) =>
    side.kind === 'field' && side.role === 'p' && coversCutoff(params[side.field], rcut);
  if (isR2(e.left) && covers(e.right)) return e.op.startsWith('<');
  if (covers(e.left) && isR2(e.right)) return e.op.startsWith('>');
  return null;
}

function fold(e: Expr): Expr {
  const known = (side: Expr) => (side.kind === 'boolean' ? side.value : null);
  if (e.kind === 'unary' && e.op === '!' && known(e.operand) !== null) {
    return { kind: 'boolean', type: 'bool', value: !known(e.operand) };
  }
  if (e.kind === 'select' && known(e.condition) !== null) {
    return known(e.condition) ? e.then : e.else;
  }
  if (e.kind === 'logic') {
    for (const [side, other] of [
      [e.left, e.right],
      [e.right, e.left],
    ] as const) {
      const value = known(side);
      if (value === null) continue;
      return value === (e.op === '&&') ? other : { kind: 'boolean', type: 'bool', value };
    }
  }
  return e;
}
