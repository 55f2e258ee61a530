import type { Expr, Stmt, Variable } from '../../ir.js';
import { forEachStatement } from '../walk.js';
import type { Fail } from './Fail.js';

type LoopStmt = Extract<Stmt, { kind: 'loop' }>;

/** `for (let counter = start; condition; update) body`: how loops over neighbors are written. */
export interface Loop {
  readonly kind: 'for';
  readonly counter: Variable;
  readonly start: Expr;
  readonly loop: LoopStmt;
}

/** A list of statements, in which each loop and the declaration of its counter are one. */
export type Item = Exclude<Stmt, { kind: 'loop' }> | Loop;

/** Joins loops with their counters. */
export function itemsOf(body: readonly Stmt[], fail: Fail): Item[] {
  const items: Item[] = [];
  for (const s of body) {
    if (s.kind !== 'loop') {
      items.push(s);
      continue;
    }
    const before = items.pop();
    const [update] = s.update;
    if (
      before?.kind !== 'declare' ||
      update?.kind !== 'assign' ||
      s.update.length !== 1 ||
      update.variable !== before.variable ||
      isAssigned(s.body, before.variable)
    )
      fail(s.condition, 'the loop has no counter', 'write for (let k = 0; k < b.count; k++)');
    items.push({ kind: 'for', counter: before.variable, start: before.value, loop: s });
  }
  return items;
}

/** The statements of a loop. */
export const statementsOf = ({ counter, start, loop }: Loop): Stmt[] => [
  { kind: 'declare', variable: counter, value: start },
  loop,
];

/** Does it visit all neighbors, each once? */
export function isComplete({ counter, start, loop }: Loop): boolean {
  const { condition } = loop;
  const [update] = loop.update;
  if (start.kind !== 'number' || start.value !== 0) return false;
  if (condition.kind !== 'compare' || condition.op !== '<') return false;
  if (!isVariable(condition.left, counter) || !isCount(condition.right)) return false;
  if (update?.kind !== 'assign' || update.value.kind !== 'binary') return false;
  const { op, left, right } = update.value;
  return op === '+' && isVariable(left, counter) && right.kind === 'number' && right.value === 1;
}

/** A loop over all neighbors with a counter of its own. */
export function completeLoop(counter: Variable, body: readonly Stmt[]): Stmt[] {
  const k: Expr = { kind: 'variable', type: 'u32', variable: counter };
  const one: Expr = { kind: 'number', type: 'u32', value: 1 };
  const count: Expr = { kind: 'field', type: 'u32', role: 'n', field: 'count' };
  return [
    { kind: 'declare', variable: counter, value: { ...one, value: 0 } },
    {
      kind: 'loop',
      condition: { kind: 'compare', type: 'bool', op: '<', left: k, right: count },
      update: [
        {
          kind: 'assign',
          variable: counter,
          value: { kind: 'binary', type: 'u32', op: '+', left: k, right: one },
        },
      ],
      body,
    },
  ];
}

export const isVariable = (e: Expr, variable: Variable): boolean =>
  e.kind === 'variable' && e.variable === variable;

/** The number of neighbors, perhaps converted. */
const isCount = (e: Expr): boolean =>
  e.kind === 'cast'
    ? isCount(e.operand)
    : e.kind === 'field' && e.role === 'n' && e.field === 'count';

/** Variables that statements assign, but do not declare. */
export function assignedOutside(body: readonly Stmt[]): Set<Variable> {
  const declared = new Set<Variable>();
  const assigned = new Set<Variable>();
  forEachStatement(body, (s) => {
    if (s.kind === 'declare' || s.kind === 'declareArray') declared.add(s.variable);
    if (s.kind === 'callMany') for (const v of s.targets) declared.add(v);
    if (s.kind === 'assign' || s.kind === 'assignElement') assigned.add(s.variable);
  });
  for (const v of declared) assigned.delete(v);
  return assigned;
}

const isAssigned = (body: readonly Stmt[], variable: Variable): boolean =>
  assignedOutside(body).has(variable);
