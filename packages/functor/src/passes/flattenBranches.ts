import type { Expr, FunctorIR, MathName, Stmt, Variable } from '../ir.js';
import { expressionsOf, forEachStatement, operandsOf } from './walk.js';

/** Functions worth a branch where few lanes need them. */
const DEAR: ReadonlySet<MathName> = new Set(['pow', 'exp', 'log', 'sin', 'cos', 'tanh', 'hypot']);

/**
 * The functor without branches, for devices where lanes that diverge wait for each other and a branch keeps apart what
 * could be computed side by side: what a branch adds to an output is added when its condition holds, and nothing else.
 *
 *   if (c) { const f = e; i.fx += f; }   →   const f = e; i.fx += c ? f : 0;
 *
 * Only branches that declare, call helpers, assign and add; null where there are others, loops, or more than `most` operations.
 * Statements are taken to stand in a branch of their own with the condition `within`.
 */
export function flattenBranches(ir: FunctorIR, within: Expr, most: number): FunctorIR | null {
  const out: Stmt[] = [];
  let names = 0;
  const fresh = (condition: Expr): Expr => {
    const id = `taken_${names++}`;
    const variable: Variable = { id, name: id, type: 'bool', size: 0 };
    out.push({ kind: 'declare', variable, value: condition });
    return { kind: 'variable', type: 'bool', variable };
  };
  const flatten = (body: readonly Stmt[], taken: Expr): boolean =>
    body.every((s) => {
      if (s.kind === 'if') {
        const condition = fresh(both(taken, s.condition));
        if (!flatten(s.then, condition)) return false;
        if (s.else.length === 0) return true;
        const not: Expr = { kind: 'unary', type: 'bool', op: '!', operand: condition };
        return flatten(s.else, fresh(both(taken, not)));
      }
      if (s.kind === 'declare' || s.kind === 'callMany') out.push(s);
      else if (s.kind === 'assign') {
        const { variable, value } = s;
        const present: Expr = { kind: 'variable', type: value.type, variable };
        out.push({ ...s, value: chosen(taken, value, present) });
      } else if (s.kind === 'write' && (s.op === '+=' || s.op === '-=')) {
        out.push({ ...s, value: masked(taken, s.value) });
      } else return false;
      return true;
    });
  return flatten(ir.body, fresh(within)) && operations(out) <= most ? { ...ir, body: out } : null;
}

/** The value or 0. Of a product with a distance, which is a finite number, only the other factor: terms share it then. */
function masked(condition: Expr, value: Expr): Expr {
  if (value.kind === 'binary' && value.op === '*') {
    if (finite(value.right)) return { ...value, left: masked(condition, value.left) };
    if (finite(value.left)) return { ...value, right: masked(condition, value.right) };
  }
  if (value.kind === 'unary' && value.op === '-')
    return { ...value, operand: masked(condition, value.operand) };
  return chosen(condition, value, zero(value));
}

const finite = (e: Expr): boolean =>
  (e.kind === 'field' && e.role === 'd') || (e.kind === 'number' && Number.isFinite(e.value));

/** Both conditions, without the branch that `&&` is. */
const both = (first: Expr, second: Expr): Expr => chosen(first, second, zero(second));

const chosen = (condition: Expr, value: Expr, otherwise: Expr): Expr => ({
  kind: 'select',
  type: value.type,
  condition,
  then: value,
  else: otherwise,
});

function zero(like: Expr): Expr {
  if (like.type === 'bool') return { kind: 'boolean', type: 'bool', value: false };
  return { kind: 'number', type: like.type, value: 0 };
}

/** Operations of all statements, helpers' included; Infinity with a dear function or a loop among them. */
function operations(body: readonly Stmt[]): number {
  let count = 0;
  const visit = (e: Expr): void => {
    if (e.kind === 'math' && DEAR.has(e.name)) count = Infinity;
    if (e.kind === 'call') count += operations(e.helper.body);
    if (!/^(number|boolean|variable|field)$/.test(e.kind)) count++;
    operandsOf(e).forEach(visit);
  };
  forEachStatement(body, (s) => {
    if (s.kind === 'loop') count = Infinity;
    if (s.kind === 'callMany') count += operations(s.helper.body);
    expressionsOf(s).forEach(visit);
  });
  return count;
}
