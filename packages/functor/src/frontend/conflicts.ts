import { type DraftExpr, type DraftStmt, type Local, operands } from './Draft.js';

/** Does any of these statements, the effects of another expression, change something that the expression reads? */
export function conflicts(expression: DraftExpr, statements: readonly DraftStmt[]): boolean {
  const changed = new Set<Local>();
  const wrote = collect(statements, changed);
  const reads = (e: DraftExpr): boolean => {
    if ((e.kind === 'local' || e.kind === 'element') && changed.has(e.local)) return true;
    if ((e.kind === 'field' || e.kind === 'item') && wrote && e.info.writable) return true;
    return operands(e).some(reads);
  };
  return reads(expression);
}

/**
 * Collects the locals changed; tells whether anything outside the functor is written. Effects of expressions are
 * assignments and branches: loops are statements of the language, and what helpers do stays inside them.
 */
function collect(statements: readonly DraftStmt[], changed: Set<Local>): boolean {
  let wrote = false;
  for (const s of statements) {
    switch (s.kind) {
      case 'assign':
      case 'assignElement':
        changed.add(s.local);
        break;
      case 'write':
      case 'writeItem':
        wrote = true;
        break;
      case 'if':
        if (collect(s.then, changed)) wrote = true;
        if (collect(s.else, changed)) wrote = true;
        break;
      default:
        break;
    }
  }
  return wrote;
}

/** Does any of these statements write a field of a role? */
export function writesOutside(statements: readonly DraftStmt[]): boolean {
  return collect(statements, new Set());
}
