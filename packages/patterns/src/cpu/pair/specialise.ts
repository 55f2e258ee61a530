import type { CompareOp, Expr, FunctorIR, RoleField, Stmt } from '../../functor/ir.js';
import { mapOperands, mapStatement } from '../../functor/passes/walk.js';
import type { ParameterValues } from '../../pattern/PatternEngine.js';

/**
 * Fits a functor to the shape of its parameters, so that one source costs no more than the case at hand needs:
 * - tables of one number become scalars: `p.table[k]` is `p.table`, and what computed k becomes dead code
 * - comparisons of an integer parameter with a number are decided, and branches that depend on them chosen
 *
 * Only the outcome of such comparisons matters, so there are few variants however many values there are; `choices`
 * names the one that was made.
 */
export function specialise(
  ir: FunctorIR,
  params: ParameterValues,
): { readonly ir: FunctorIR; readonly choices: string } {
  const single = singleTables(ir, params);
  const roles: Record<string, RoleField> = {};
  for (const [name, field] of Object.entries(ir.roles.p ?? {})) {
    roles[name] = single.has(name) ? { ...field, array: false } : field;
  }
  let choices = [...single].join(' ');
  const expression = (e: Expr): Expr => {
    if (e.kind === 'item' && e.role === 'p' && single.has(e.field)) {
      return { kind: 'field', type: e.type, role: 'p', field: e.field };
    }
    const mapped = fold(mapOperands(e, expression));
    const decided = decide(mapped, params);
    if (decided === null) return mapped;
    choices += decided ? ' 1' : ' 0';
    return { kind: 'boolean', type: 'bool', value: decided };
  };
  const list = (body: readonly Stmt[]): readonly Stmt[] =>
    body.flatMap((s) => {
      const mapped = mapStatement(s, expression, list);
      if (mapped.kind !== 'if' || mapped.condition.kind !== 'boolean') return [mapped];
      return mapped.condition.value ? mapped.then : mapped.else;
    });
  const body = list(ir.body);
  return { ir: { ...ir, roles: { ...ir.roles, p: roles }, body }, choices };
}

function singleTables(ir: FunctorIR, params: ParameterValues): Set<string> {
  const isSingle = ([name, field]: [string, RoleField]) => {
    const value = params[name];
    return field.array && typeof value === 'object' && value.length === 1;
  };
  return new Set(
    Object.entries(ir.roles.p ?? {})
      .filter(isSingle)
      .map(([name]) => name),
  );
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
