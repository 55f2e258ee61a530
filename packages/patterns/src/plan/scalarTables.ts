import type { Expr, FunctorIR, RoleField, Stmt } from '@corpuscle/functor/ir';
import { mapOperands, mapStatement } from '@corpuscle/functor/passes';
import type { ParameterValues } from './calls.js';

/**
 * Turns tables of one number into scalars: `p.table[k]` becomes `p.table`, and what computed k becomes dead code.
 * One particle type then costs no gathers, from the same source that serves many.
 */
export function scalarTables(ir: FunctorIR, params: ParameterValues): FunctorIR {
  const single = new Set(
    Object.entries(ir.roles.p ?? {})
      .filter(([name, field]) => {
        const value = params[name];
        return field.array && typeof value === 'object' && value.length === 1;
      })
      .map(([name]) => name),
  );
  if (single.size === 0) return ir;
  const roles: Record<string, RoleField> = {};
  for (const [name, field] of Object.entries(ir.roles.p!)) {
    roles[name] = single.has(name) ? { ...field, array: false } : field;
  }
  const expression = (e: Expr): Expr =>
    e.kind === 'item' && e.role === 'p' && single.has(e.field)
      ? { kind: 'field', type: e.type, role: 'p', field: e.field }
      : mapOperands(e, expression);
  const list = (body: readonly Stmt[]): readonly Stmt[] =>
    body.map((s) => mapStatement(s, expression, list));
  return { ...ir, roles: { ...ir.roles, p: roles }, body: list(ir.body) };
}
