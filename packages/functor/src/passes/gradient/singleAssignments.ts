import type { Expr, Stmt, Variable } from '../../ir.js';
import type { Namer } from '../derivative/Tangents.js';
import { mapOperands, mapStatement } from '../walk.js';
import type { Fail } from './Fail.js';
import { assignedOutside, type Item, itemsOf, type Loop, statementsOf } from './Loop.js';
import { checkSum } from './sums.js';

type Versions = Map<Variable, Variable>;

/**
 * Gives every new value a variable of its own, so that all values are still there when the adjoints are computed:
 *
 *   let f = a; if (c) f = f + b; …f…   →   let f = a; let f2 = f; if (c) { const f3 = f + b; f2 = f3; } …f2…
 *
 * What loops change are sums, which stay: a loop reads none.
 *
 * @param isWhole loops whose own variables stay as they are
 */
export function singleAssignments(
  body: readonly Stmt[],
  name: Namer,
  fail: Fail,
  isWhole: (loop: Loop) => boolean,
): Stmt[] {
  return new Versioning(name, fail, isWhole).list(body, new Map(), new Map());
}

class Versioning {
  constructor(
    readonly name: Namer,
    readonly fail: Fail,
    readonly isWhole: (loop: Loop) => boolean,
  ) {}

  /** `sums`: variables that the loop around adds to. `current` changes. */
  list(body: readonly Stmt[], current: Versions, sums: Versions): Stmt[] {
    return itemsOf(body, this.fail).flatMap((item) => this.#item(item, current, sums));
  }

  #item(s: Item, current: Versions, sums: Versions): Stmt[] {
    const read = reading(current, sums);
    if (s.kind === 'assign') {
      const value = read(s.value);
      const sum = sums.get(s.variable);
      if (sum) return [{ kind: 'assign', variable: sum, value }];
      const variable = this.#next(s.variable);
      current.set(s.variable, variable);
      return [{ kind: 'declare', variable, value }];
    }
    if (s.kind === 'if') {
      const joined = [...assignedOutside([s])].filter((v) => !sums.has(v));
      const before = joined.map((v) => [v, this.#next(v), current.get(v) ?? v] as const);
      const branch = (list: readonly Stmt[]): Stmt[] => {
        const own = new Map(current);
        const out = this.list(list, own, sums);
        for (const [v, next, previous] of before) {
          const last = own.get(v) ?? v;
          if (last !== previous) out.push({ kind: 'assign', variable: next, value: readOf(last) });
        }
        return out;
      };
      const made: Stmt = {
        ...s,
        condition: read(s.condition),
        then: branch(s.then),
        else: branch(s.else),
      };
      for (const [v, next] of before) current.set(v, next);
      return [...before.map(([, next, previous]) => declared(next, previous)), made];
    }
    if (s.kind === 'for') {
      const start = read(s.start);
      const changed = [...assignedOutside(s.loop.body)].filter((v) => !sums.has(v));
      for (const v of changed) checkSum(s.loop.body, v, this.fail);
      const before = changed.map((v) => [v, this.#next(v), current.get(v) ?? v] as const);
      const inner = new Map([...sums, ...before.map(([v, next]) => [v, next] as const)]);
      const body = this.isWhole(s)
        ? renamed(s.loop.body, reading(current, inner), inner)
        : this.list(s.loop.body, new Map(current), inner);
      const loop = { ...s.loop, condition: read(s.loop.condition), body };
      for (const [v, next] of before) current.set(v, next);
      return [
        ...before.map(([, next, previous]) => declared(next, previous)),
        ...statementsOf({ ...s, start, loop }),
      ];
    }
    return [mapStatement(s, read, (list) => list)];
  }

  #next(variable: Variable): Variable {
    return { ...this.name(`${variable.id}_n`), type: variable.type, name: variable.name };
  }
}

/** Expressions of what variables are called now. */
function reading(current: Versions, sums: Versions): (e: Expr) => Expr {
  const read = (e: Expr): Expr => {
    if (e.kind !== 'variable') return mapOperands(e, read);
    const variable = sums.get(e.variable) ?? current.get(e.variable);
    return variable ? { ...e, variable } : e;
  };
  return read;
}

function renamed(body: readonly Stmt[], read: (e: Expr) => Expr, sums: Versions): Stmt[] {
  return body.map((s) => {
    const mapped = mapStatement(s, read, (list) => renamed(list, read, sums));
    if (mapped.kind !== 'assign') return mapped;
    return { ...mapped, variable: sums.get(mapped.variable) ?? mapped.variable };
  });
}

const readOf = (variable: Variable): Expr => ({ kind: 'variable', type: variable.type, variable });
const declared = (variable: Variable, from: Variable): Stmt => ({
  kind: 'declare',
  variable,
  value: readOf(from),
});
