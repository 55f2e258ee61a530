import type { Stmt, Variable } from '../../ir.js';
import { forEachExpression, forEachStatement } from '../../passes/walk.js';

/** A loop that makes the same number of turns each time. */
export interface CountedLoop {
  readonly counter: Variable;
  readonly turns: number;
  readonly body: readonly Stmt[];
}

/**
 * The loop `for (let k = a; k < b; k++)` from statement n on, its counter and itself, where a and b are numbers and nothing else
 * looks at k; null for all else. It may count down to zero: then no guard against loops without end is needed, and compilers unroll it.
 */
export function countedLoop(list: readonly Stmt[], n: number): CountedLoop | null {
  const [start, loop] = [list[n], list[n + 1]];
  if (start?.kind !== 'declare' || loop?.kind !== 'loop') return null;
  const counter = start.variable;
  const { condition, update, body } = loop;
  const [step] = update;
  if (start.value.kind !== 'number' || condition.kind !== 'compare' || condition.op !== '<')
    return null;
  const { left, right } = condition;
  if (left.kind !== 'variable' || left.variable !== counter || right.kind !== 'number') return null;
  if (update.length !== 1 || step?.kind !== 'assign' || step.variable !== counter) return null;
  const { value } = step;
  const isByOne =
    value.kind === 'binary' &&
    value.op === '+' &&
    value.left.kind === 'variable' &&
    value.left.variable === counter &&
    value.right.kind === 'number' &&
    value.right.value === 1;
  const turns = Math.ceil(right.value - start.value.value);
  if (!isByOne || turns < 1 || turns > 0xffff) return null;
  return mentions([...body, ...list.slice(n + 2)], counter) ? null : { counter, turns, body };
}

function mentions(list: readonly Stmt[], variable: Variable): boolean {
  let found = false;
  forEachExpression(list, (e) => {
    found ||= e.kind === 'variable' && e.variable === variable;
  });
  forEachStatement(list, (s) => {
    found ||= s.kind === 'assign' && s.variable === variable;
    found ||= s.kind === 'callMany' && s.targets.includes(variable);
  });
  return found;
}
