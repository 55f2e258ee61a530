import type { Expr, Stmt, Variable } from '../../ir.js';
import type { Namer } from '../derivative/Tangents.js';
import { mapOperands, mapStatement } from '../walk.js';

/** The same statements with variables of their own, for a second place. `onCopy` hears of each. */
export function freshCopy(
  body: readonly Stmt[],
  name: Namer,
  onCopy: (from: Variable, to: Variable) => void,
): Stmt[] {
  const copies = new Map<Variable, Variable>();
  const made = (v: Variable): Variable => {
    const copy: Variable = { ...name(v.id), name: v.name, type: v.type, size: v.size };
    copies.set(v, copy);
    onCopy(v, copy);
    return copy;
  };
  const read = (e: Expr): Expr => {
    const mapped = mapOperands(e, read);
    if (mapped.kind !== 'variable' && mapped.kind !== 'element') return mapped;
    const variable = copies.get(mapped.variable);
    return variable ? { ...mapped, variable } : mapped;
  };
  const list = (inner: readonly Stmt[]): Stmt[] =>
    inner.map((s) => {
      const mapped = mapStatement(s, read, list);
      if (mapped.kind === 'declare' || mapped.kind === 'declareArray')
        return { ...mapped, variable: made(mapped.variable) };
      if (mapped.kind === 'callMany') return { ...mapped, targets: mapped.targets.map(made) };
      if (mapped.kind === 'assign' || mapped.kind === 'assignElement')
        return { ...mapped, variable: copies.get(mapped.variable) ?? mapped.variable };
      return mapped;
    });
  return list(body);
}
