import type { Expr, FunctorIR, Stmt, Variable } from '@corpuscle/functor/ir';
import {
  forEachExpression,
  forEachStatement,
  listsOf,
  mapOperands,
} from '@corpuscle/functor/passes';

type Loop = Extract<Stmt, { kind: 'loop' }>;
type Compare = Extract<Expr, { kind: 'compare' }>;

/**
 * Rewrites the second-level loops of a block functor for two lanes side by side:
 *
 *   for (let k = b.lane; k < n; k += b.size) { … }
 *   ──►  let k0 = 0;
 *        for (; k0 + 1 < n; k0 += 2) { const k = k0 + b.lane; … }         both lanes run: no masks
 *        if (k0 < n) { const k = k0 + b.lane; if (k < n) { … } }          lane 0 alone
 *
 * Returns null when that would not be the same as one lane running the functor: when something outside such loops is
 * written or looks at lane or size, or when a turn of the loop depends on the one before.
 */
export function pairUpLanes(ir: FunctorIR): FunctorIR | null {
  const body: Stmt[] = [];
  let found = false;
  for (let n = 0; n < ir.body.length; n++) {
    const [declare, loop] = [ir.body[n]!, ir.body[n + 1]];
    const rewritten =
      declare.kind === 'declare' && loop?.kind === 'loop' ? rewrite(declare, loop) : null;
    if (rewritten) {
      found = true;
      body.push(...rewritten);
      n++;
    } else if (isPrivate(declare)) body.push(declare);
    else return null;
  }
  return found ? { ...ir, body } : null;
}

/**
 * Looks a block functor at neither lane nor size? Then its blocks are single indices, which may go side by side: all that a
 * functor is told of others is that they come in any order.
 */
export function isFlat(ir: FunctorIR): boolean {
  let result = true;
  forEachExpression(ir.body, (e) => {
    if (isBlockField(e, 'lane') || isBlockField(e, 'size')) result = false;
  });
  return result;
}

function rewrite(declare: Extract<Stmt, { kind: 'declare' }>, loop: Loop): Stmt[] | null {
  const k = declare.variable;
  const { condition } = loop;
  if (k.type !== 'u32' && k.type !== 'i32') return null;
  if (condition.kind !== 'compare' || (condition.op !== '<' && condition.op !== '<=')) return null;
  const countsLanes =
    isBlockField(declare.value, 'lane') &&
    isVariable(condition.left, k) &&
    stepsBySize(loop.update, k);
  if (
    !countsLanes ||
    !turnsAreIndependent(loop.body, k) ||
    !isInvariant(condition.right, loop.body, k)
  )
    return null;

  const first: Variable = { id: `${k.id}_pair`, name: k.name, type: k.type, size: 0 };
  const { type } = k;
  const read = (variable: Variable): Expr => ({ kind: 'variable', type, variable });
  const plus = (value: number): Expr => ({
    kind: 'binary',
    type,
    op: '+',
    left: read(first),
    right: { kind: 'number', type, value },
  });
  const mine: Stmt = {
    kind: 'declare',
    variable: k,
    value: { kind: 'binary', type, op: '+', left: read(first), right: declare.value },
  };
  const holdsFor = (value: Expr): Compare => ({
    ...condition,
    left: substitute(condition.left, k, value),
  });
  const guarded: Stmt = { kind: 'if', condition, then: loop.body, else: [] };
  return [
    { kind: 'declare', variable: first, value: { kind: 'number', type, value: 0 } },
    {
      kind: 'loop',
      condition: holdsFor(plus(1)),
      update: [{ kind: 'assign', variable: first, value: plus(2) }],
      body: [mine, ...loop.body],
    },
    { kind: 'if', condition: holdsFor(read(first)), then: [mine, guarded], else: [] },
  ];
}

/** Neither written to arrays nor dependent on the lane: both lanes may do it. */
function isPrivate(s: Stmt): boolean {
  let result = true;
  forEachStatement([s], (inner) => {
    if (inner.kind === 'writeItem' || inner.kind === 'write' || inner.kind === 'return')
      result = false;
  });
  forEachExpression([s], (e) => {
    if (isBlockField(e, 'lane') || isBlockField(e, 'size')) result = false;
  });
  return result;
}

function turnsAreIndependent(body: readonly Stmt[], k: Variable): boolean {
  const own = new Set<Variable>();
  let result = !leaves(body);
  forEachStatement(body, (s) => {
    if (s.kind === 'declare' || s.kind === 'declareArray') own.add(s.variable);
    else if (s.kind === 'callMany') for (const target of s.targets) own.add(target);
    else if (s.kind === 'assign' || s.kind === 'assignElement') {
      if (s.variable === k || !own.has(s.variable)) result = false;
    }
  });
  forEachExpression(body, (e) => {
    if (isBlockField(e, 'lane') || isBlockField(e, 'size')) result = false;
  });
  return result;
}

/** Has a return, or a break or continue of the loop itself. */
function leaves(body: readonly Stmt[], inner = false): boolean {
  return body.some((s) => {
    if (s.kind === 'return') return true;
    if (s.kind === 'break' || s.kind === 'continue') return !inner;
    return listsOf(s).some((list) => leaves(list, inner || s.kind === 'loop'));
  });
}

function isInvariant(e: Expr, body: readonly Stmt[], k: Variable): boolean {
  const changed = new Set<Variable>([k]);
  forEachStatement(body, (s) => {
    if (s.kind === 'declare' || s.kind === 'assign') changed.add(s.variable);
  });
  let result = true;
  forEachExpression([{ kind: 'return', values: [e] }], (inner) => {
    if (inner.kind === 'element' || (inner.kind === 'item' && inner.role === 'a')) result = false;
    if (inner.kind === 'variable' && changed.has(inner.variable)) result = false;
    if (isBlockField(inner, 'lane') || isBlockField(inner, 'size')) result = false;
  });
  return result;
}

const withoutCasts = (e: Expr): Expr => (e.kind === 'cast' ? withoutCasts(e.operand) : e);

function isBlockField(e: Expr, field: string): boolean {
  const inner = withoutCasts(e);
  return inner.kind === 'field' && inner.role === 'b' && inner.field === field;
}

function isVariable(e: Expr, variable: Variable): boolean {
  const inner = withoutCasts(e);
  return inner.kind === 'variable' && inner.variable === variable;
}

function stepsBySize(update: readonly Stmt[], k: Variable): boolean {
  const [step] = update;
  if (update.length !== 1 || step?.kind !== 'assign' || step.variable !== k) return false;
  const value = withoutCasts(step.value);
  return (
    value.kind === 'binary' &&
    value.op === '+' &&
    isVariable(value.left, k) &&
    isBlockField(value.right, 'size')
  );
}

function substitute(e: Expr, variable: Variable, by: Expr): Expr {
  if (e.kind === 'variable' && e.variable === variable) return by;
  return mapOperands(e, (operand) => substitute(operand, variable, by));
}
