import type { Expr, Stmt } from '../ir.js';

/** The expressions directly inside an expression. */
export function operandsOf(e: Expr): readonly Expr[] {
  switch (e.kind) {
    case 'number':
    case 'boolean':
    case 'variable':
    case 'field':
      return [];
    case 'element':
    case 'item':
      return [e.index];
    case 'unary':
    case 'cast':
    case 'test':
      return [e.operand];
    case 'binary':
    case 'bits':
    case 'compare':
    case 'logic':
      return [e.left, e.right];
    case 'select':
      return [e.condition, e.then, e.else];
    case 'math':
    case 'call':
      return e.args;
  }
}

/** The expressions directly inside a statement (not those of nested statements). */
export function expressionsOf(s: Stmt): readonly Expr[] {
  switch (s.kind) {
    case 'declare':
    case 'assign':
    case 'write':
      return [s.value];
    case 'declareArray':
      return s.elements;
    case 'assignElement':
    case 'writeItem':
      return [s.index, s.value];
    case 'if':
    case 'loop':
      return [s.condition];
    case 'return':
      return s.values;
    case 'callMany':
      return s.args;
    case 'break':
    case 'continue':
    case 'barrier':
      return [];
  }
}

/** The statement lists nested in a statement. */
export function listsOf(s: Stmt): readonly (readonly Stmt[])[] {
  if (s.kind === 'if') return [s.then, s.else];
  if (s.kind === 'loop') return [s.body, s.update];
  return [];
}

/** Visits every statement, outer ones first. */
export function forEachStatement(body: readonly Stmt[], visit: (s: Stmt) => void): void {
  for (const s of body) {
    visit(s);
    for (const list of listsOf(s)) forEachStatement(list, visit);
  }
}

/** Visits every expression of every statement, outer ones first; helpers are not entered. */
export function forEachExpression(body: readonly Stmt[], visit: (e: Expr) => void): void {
  const descend = (e: Expr): void => {
    visit(e);
    operandsOf(e).forEach(descend);
  };
  forEachStatement(body, (s) => expressionsOf(s).forEach(descend));
}

/** Rebuilds an expression from its changed operands. */
export function mapOperands(e: Expr, change: (operand: Expr) => Expr): Expr {
  switch (e.kind) {
    case 'number':
    case 'boolean':
    case 'variable':
    case 'field':
      return e;
    case 'element':
    case 'item':
      return { ...e, index: change(e.index) };
    case 'unary':
    case 'cast':
    case 'test':
      return { ...e, operand: change(e.operand) };
    case 'binary':
    case 'bits':
    case 'compare':
    case 'logic':
      return { ...e, left: change(e.left), right: change(e.right) };
    case 'select':
      return { ...e, condition: change(e.condition), then: change(e.then), else: change(e.else) };
    case 'math':
    case 'call':
      return { ...e, args: e.args.map(change) };
  }
}

/** Rebuilds a statement from its changed expressions and statement lists. */
export function mapStatement(
  s: Stmt,
  expression: (e: Expr) => Expr,
  list: (body: readonly Stmt[]) => readonly Stmt[],
): Stmt {
  switch (s.kind) {
    case 'declare':
    case 'assign':
    case 'write':
      return { ...s, value: expression(s.value) };
    case 'declareArray':
      return { ...s, elements: s.elements.map(expression) };
    case 'assignElement':
    case 'writeItem':
      return { ...s, index: expression(s.index), value: expression(s.value) };
    case 'if':
      return { ...s, condition: expression(s.condition), then: list(s.then), else: list(s.else) };
    case 'loop':
      return {
        ...s,
        condition: expression(s.condition),
        body: list(s.body),
        update: list(s.update),
      };
    case 'return':
      return { ...s, values: s.values.map(expression) };
    case 'callMany':
      return { ...s, args: s.args.map(expression) };
    case 'break':
    case 'continue':
    case 'barrier':
      return s;
  }
}
