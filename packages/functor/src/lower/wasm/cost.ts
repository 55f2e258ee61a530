import type { Expr, HelperIR, MathName, Stmt } from '../../ir.js';

const mathCost: Partial<Record<MathName, number>> = {
  exp: 40,
  log: 45,
  pow: 100,
  sin: 70,
  cos: 70,
  tanh: 60,
  hypot: 20,
  sqrt: 8,
  round: 6,
};

/** From this many operations on, a branch is worth the test whether any lane takes it (about 12 % of a Lennard-Jones pair). */
export const HEAVY = 40;

/** Rough number of operations of an expression. */
export function costOf(e: Expr): number {
  switch (e.kind) {
    case 'number':
    case 'boolean':
    case 'variable':
    case 'field':
      return 0;
    case 'element':
      return 4 + costOf(e.index);
    case 'item':
      return 6 + costOf(e.index);
    case 'unary':
    case 'cast':
    case 'test':
      return 1 + costOf(e.operand);
    case 'binary':
      return (e.op === '%' ? 15 : e.op === '/' ? 6 : 1) + costOf(e.left) + costOf(e.right);
    case 'bits':
    case 'compare':
    case 'logic':
      return 1 + costOf(e.left) + costOf(e.right);
    case 'select':
      return 1 + costOf(e.condition) + costOf(e.then) + costOf(e.else);
    case 'math':
      return (mathCost[e.name] ?? 1) + sum(e.args);
    case 'call':
      return helperCost(e.helper) + sum(e.args);
  }
}

const sum = (list: readonly Expr[]): number => list.reduce((total, e) => total + costOf(e), 0);

const helperCost = (helper: HelperIR): number => costOfAll(helper.body);

/** Rough number of operations of statements; a loop counts as heavy whatever is in it. */
export function costOfAll(list: readonly Stmt[]): number {
  let total = 0;
  for (const s of list) {
    switch (s.kind) {
      case 'declare':
      case 'assign':
        total += 1 + costOf(s.value);
        break;
      case 'write':
        total += 2 + costOf(s.value);
        break;
      case 'declareArray':
        total += sum(s.elements);
        break;
      case 'assignElement':
      case 'writeItem':
        total += 6 + costOf(s.index) + costOf(s.value);
        break;
      case 'if':
        total += 2 + costOf(s.condition) + costOfAll(s.then) + costOfAll(s.else);
        break;
      case 'loop':
        total += 2 * HEAVY;
        break;
      case 'return':
        total += sum(s.values);
        break;
      case 'callMany':
        total += helperCost(s.helper) + sum(s.args);
        break;
    }
  }
  return total;
}

/** Must not be computed where its lanes are off: it may loop, or read memory at an index that makes no sense there. */
export function needsGuard(e: Expr): boolean {
  switch (e.kind) {
    case 'item':
      return true;
    case 'call':
      return !e.helper.builtin || e.args.some(needsGuard);
    case 'element':
      return needsGuard(e.index);
    case 'unary':
    case 'cast':
    case 'test':
      return needsGuard(e.operand);
    case 'binary':
    case 'bits':
    case 'compare':
    case 'logic':
      return needsGuard(e.left) || needsGuard(e.right);
    case 'select':
      return needsGuard(e.condition) || needsGuard(e.then) || needsGuard(e.else);
    case 'math':
      return e.args.some(needsGuard);
    default:
      return false;
  }
}
