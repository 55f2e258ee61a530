import type { Expr, Stmt } from '../../ir.js';
import { forEachStatement, listsOf } from '../walk.js';
import type { Fail } from './Fail.js';

/**
 * The statements without jumps: what follows `if (c) continue;` stands in the other branch.
 *
 *   if (c) continue; rest   →   if (!c) { rest }
 *
 * `return` in the functor itself likewise. Jumps out of loops, and from the middle of a branch, are refused.
 */
export function straighten(
  body: readonly Stmt[],
  fail: Fail,
  jump: 'return' | 'continue' = 'return',
): Stmt[] {
  const [s, ...rest] = body;
  if (!s || s.kind === jump) return [];
  if (s.kind === 'break' || s.kind === 'return') return failLeaving(null, s.kind, fail);
  if (s.kind === 'loop') {
    const inner = straighten(s.body, fail, 'continue');
    return [{ ...s, body: inner }, ...straighten(rest, fail, jump)];
  }
  if (s.kind !== 'if' || !listsOf(s).some((list) => jumps(list)))
    return [s.kind === 'if' ? straightIf(s, fail, jump) : s, ...straighten(rest, fail, jump)];
  const [thenEnds, elseEnds] = [endsIn(s.then, jump), endsIn(s.else, jump)];
  if (!thenEnds && !elseEnds) {
    const leaving = [...s.then, ...s.else].find(
      ({ kind }) => kind === 'break' || kind === 'return',
    );
    if (leaving) return failLeaving(s.condition, leaving.kind, fail);
    return fail(
      s.condition,
      `a branch may or may not end in ${jump}`,
      `put the condition and ${jump} into one if`,
    );
  }
  const then = straighten(thenEnds ? s.then : [...s.then, ...rest], fail, jump);
  const otherwise = straighten(elseEnds ? s.else : [...s.else, ...rest], fail, jump);
  if (then.length > 0 || otherwise.length === 0) return [{ ...s, then, else: otherwise }];
  return [{ ...s, condition: opposite(s.condition), then: otherwise, else: [] }];
}

function failLeaving(at: Expr | null, kind: string, fail: Fail): never {
  return fail(
    at,
    `a loop is left by ${kind}`,
    'visit all neighbors, and add 0 for those that do not count',
  );
}

const straightIf = (
  s: Extract<Stmt, { kind: 'if' }>,
  fail: Fail,
  jump: 'return' | 'continue',
): Stmt => ({
  ...s,
  then: straighten(s.then, fail, jump),
  else: straighten(s.else, fail, jump),
});

/** Also of NaN: not (a < b) is no a >= b. */
const opposite = (operand: Expr): Expr =>
  operand.kind === 'unary' && operand.op === '!'
    ? operand.operand
    : { kind: 'unary', type: 'bool', op: '!', operand };

const endsIn = (body: readonly Stmt[], jump: Stmt['kind']): boolean => body.at(-1)?.kind === jump;

/** Leaves the list, other than a loop inside. */
function jumps(body: readonly Stmt[]): boolean {
  return body.some((s) => {
    if (s.kind === 'continue' || s.kind === 'break' || s.kind === 'return') return true;
    if (s.kind === 'if') return jumps(s.then) || jumps(s.else);
    let returns = false;
    if (s.kind === 'loop')
      forEachStatement(s.body, (inner) => {
        returns ||= inner.kind === 'return';
      });
    return returns;
  });
}
