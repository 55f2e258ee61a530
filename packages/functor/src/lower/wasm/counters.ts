import type { Stmt, Variable } from '../../ir.js';
import { forEachExpression, forEachStatement } from '../../passes/walk.js';

type Loop = Extract<Stmt, { kind: 'loop' }>;

/**
 * Counters of a loop: variables that are declared before it in the same list, changed by its update alone, and not looked at
 * after it. Lanes that are still in the loop have made the same turns, so that a counter is equal on all of them wherever it
 * starts and steps equally; what it would be on lanes that have left does not matter.
 *
 * @param list statements, of which number `n` is the loop
 */
export function countersOf(list: readonly Stmt[], n: number): ReadonlySet<Variable> {
  const loop = list[n] as Loop;
  const counters = new Set<Variable>();
  for (const s of loop.update) if (s.kind === 'assign') counters.add(s.variable);
  if (counters.size === 0) return counters;
  const declared = new Set(
    list.slice(0, n).flatMap((s) => (s.kind === 'declare' ? [s.variable] : [])),
  );
  const changed = changedIn([...loop.body, ...loop.update.filter((s) => s.kind !== 'assign')]);
  const seen = mentionedIn(list.slice(n + 1));
  for (const variable of counters)
    if (!declared.has(variable) || changed.has(variable) || seen.has(variable))
      counters.delete(variable);
  return counters;
}

/** Variables that statements assign. */
function changedIn(list: readonly Stmt[]): Set<Variable> {
  const changed = new Set<Variable>();
  forEachStatement(list, (s) => {
    if (s.kind === 'assign') changed.add(s.variable);
    else if (s.kind === 'callMany') for (const target of s.targets) changed.add(target);
  });
  return changed;
}

/** Variables that statements read or assign. */
function mentionedIn(list: readonly Stmt[]): Set<Variable> {
  const mentioned = changedIn(list);
  forEachExpression(list, (e) => {
    if (e.kind === 'variable') mentioned.add(e.variable);
  });
  return mentioned;
}
