import type { Expr, FunctorIR, HelperIR, Stmt, Variable } from '../ir.js';
import {
  expressionsOf,
  forEachExpression,
  forEachStatement,
  listsOf,
  mapStatement,
  operandsOf,
} from './walk.js';

/**
 * The functor without the writes to fields of the particle (or results) that are not wanted, and without all that was
 * computed for them only: locals, branches, loops and helpers. A loop whose body becomes empty is taken to end.
 *
 * An unwanted field that the wanted ones are computed from stays: its writes remain in the representation, and the caller
 * keeps its value to itself (`fieldUse` tells).
 */
export function withOutputs(ir: FunctorIR, keep: ReadonlySet<string>): FunctorIR {
  const needed = new Set(keep);
  const own = ownArrays(ir);
  for (;;) {
    const body = liveBody(ir.body, needed, own);
    const read = new Set<string>();
    forEachExpression(body, (e) => {
      if (e.kind === 'field' && e.role === 'i') read.add(e.field);
    });
    const missing = writtenFields(ir.body).filter((field) => read.has(field) && !needed.has(field));
    if (missing.length === 0) return { ...ir, body, helpers: usedHelpers(body, ir.helpers) };
    for (const field of missing) needed.add(field);
  }
}

function writtenFields(body: readonly Stmt[]): string[] {
  const found = new Set<string>();
  forEachStatement(body, (s) => {
    if (s.kind === 'write') found.add(s.field);
  });
  return [...found];
}

/** Arrays of a buffer that are not seen outside; where they are read they stay, for they may steer what is wanted. */
const ownArrays = (ir: FunctorIR): ReadonlySet<string> =>
  new Set(Object.entries(ir.roles.n ?? {}).flatMap(([name, f]) => (f.collects ? [] : [name])));

function liveBody(
  original: readonly Stmt[],
  keep: ReadonlySet<string>,
  own: ReadonlySet<string>,
): Stmt[] {
  let body = dropUnused(original.flatMap((s) => dropWrites(s, keep, own)));
  for (;;) {
    const unread = unreadArrays(body, own);
    if (unread.size === 0) return body;
    const rest = new Set([...own].filter((field) => !unread.has(field)));
    body = dropUnused(body.flatMap((s) => dropWrites(s, keep, rest)));
  }
}

/** Arrays of a functor's own that are written and never read. */
function unreadArrays(body: readonly Stmt[], own: ReadonlySet<string>): Set<string> {
  const unread = new Set<string>();
  forEachStatement(body, (s) => {
    if (s.kind === 'writeItem' && s.role === 'n' && own.has(s.field)) unread.add(s.field);
  });
  forEachExpression(body, (e) => {
    if (e.kind === 'item' && e.role === 'n') unread.delete(e.field);
  });
  return unread;
}

/** The statements without those that nothing with an effect depends on: writes and returns are effects. */
export function dropUnused(original: readonly Stmt[]): Stmt[] {
  let body = [...original];
  for (;;) {
    const next = prune(body, liveVariables(body));
    if (count(next) === count(body)) return next;
    body = next;
  }
}

function dropWrites(s: Stmt, keep: ReadonlySet<string>, own: ReadonlySet<string>): Stmt[] {
  const droppable =
    (s.kind === 'write' && (s.role === 'i' || s.role === 'acc')) ||
    (s.kind === 'writeItem' && s.role === 'n' && !own.has(s.field));
  if (droppable && !keep.has(s.field)) return [];
  const list = (statements: readonly Stmt[]) =>
    statements.flatMap((inner) => dropWrites(inner, keep, own));
  return [mapStatement(s, (e) => e, list)];
}

/** Variables that something with an effect depends on. */
function liveVariables(body: readonly Stmt[]): Set<Variable> {
  const live = new Set<Variable>();
  const read = (e: Expr): void => {
    if (e.kind === 'variable' || e.kind === 'element') live.add(e.variable);
    operandsOf(e).forEach(read);
  };
  const visit = (list: readonly Stmt[]): void => {
    for (const s of list) {
      if (!isLive(s, live)) continue;
      expressionsOf(s).forEach(read);
      listsOf(s).forEach(visit);
    }
  };
  let size = -1;
  while (size !== live.size) {
    size = live.size;
    visit(body);
  }
  return live;
}

/** Must the statement stay? A loop stays for what it does, not for the jumps that only steer it. */
function isLive(s: Stmt, live: ReadonlySet<Variable>): boolean {
  switch (s.kind) {
    case 'declare':
    case 'declareArray':
    case 'assign':
    case 'assignElement':
      return live.has(s.variable);
    case 'callMany':
      return s.targets.some((variable) => live.has(variable));
    case 'if':
      return listsOf(s).some((list) => list.some((inner) => isLive(inner, live)));
    case 'loop':
      return listsOf(s).some((list) => list.some((inner) => acts(inner, live)));
    default:
      return true;
  }
}

/** Has an effect beyond steering the loop around it. */
function acts(s: Stmt, live: ReadonlySet<Variable>): boolean {
  if (s.kind === 'break' || s.kind === 'continue') return false;
  if (s.kind === 'if') return listsOf(s).some((list) => list.some((inner) => acts(inner, live)));
  return isLive(s, live);
}

function prune(body: readonly Stmt[], live: ReadonlySet<Variable>): Stmt[] {
  return body
    .filter((s) => isLive(s, live))
    .map((s) =>
      mapStatement(
        s,
        (e) => e,
        (list) => prune(list, live),
      ),
    );
}

const count = (body: readonly Stmt[]): number => {
  let n = 0;
  forEachStatement(body, () => {
    n++;
  });
  return n;
};

/** The helpers that statements call, and those that these call. */
export function usedHelpers(
  body: readonly Stmt[],
  helpers: readonly HelperIR[],
): readonly HelperIR[] {
  const used = new Set<HelperIR>();
  const enter = (statements: readonly Stmt[]): void => {
    const meet = (helper: HelperIR): void => {
      if (used.has(helper)) return;
      used.add(helper);
      enter(helper.body);
    };
    forEachStatement(statements, (s) => {
      if (s.kind === 'callMany') meet(s.helper);
    });
    forEachExpression(statements, (e) => {
      if (e.kind === 'call') meet(e.helper);
    });
  };
  enter(body);
  return helpers.filter((helper) => used.has(helper));
}
