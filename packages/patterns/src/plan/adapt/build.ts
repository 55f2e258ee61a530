import type { CompareOp, Expr, RoleName, Stmt, ValueType, Variable } from '@corpuscle/functor/ir';

/*
 * Pieces of the representation, for what a call adds to a functor. Names of what is added start with `opt_`, which no
 * declaration can be expected to use.
 */

export const real = (value: number): Expr => ({ kind: 'number', type: 'real', value });
export const whole = (value: number): Expr => ({ kind: 'number', type: 'u32', value });

export const field = (role: RoleName, name: string, type: ValueType = 'real'): Expr => ({
  kind: 'field',
  type,
  role,
  field: name,
});
export const item = (name: string, index: Expr, type: ValueType): Expr => ({
  kind: 'item',
  type,
  role: 'p',
  field: name,
  index,
});

export const add = (left: Expr, right: Expr, op: '+' | '-' | '*' | '/' = '+'): Expr => ({
  kind: 'binary',
  type: left.type as 'real' | 'u32',
  op,
  left,
  right,
});
export const times = (left: Expr, right: Expr): Expr => add(left, right, '*');
export const sum = (terms: readonly Expr[]): Expr => terms.reduce((a, b) => add(a, b));

export const compare = (op: CompareOp, left: Expr, right: Expr): Expr => ({
  kind: 'compare',
  type: 'bool',
  op,
  left,
  right,
});
export const not = (operand: Expr): Expr => ({ kind: 'unary', type: 'bool', op: '!', operand });

let names = 0;

/** A variable with a name of its own in whatever functor it is put. */
export function variable(name: string, type: ValueType): Variable {
  const id = `opt${name}_${900_000 + (names++ % 90_000)}`;
  return { id, name, type, size: 0 };
}
export const read = (v: Variable): Expr => ({ kind: 'variable', type: v.type, variable: v });
export const declare = (v: Variable, value: Expr): Stmt => ({
  kind: 'declare',
  variable: v,
  value,
});
export const assign = (v: Variable, value: Expr): Stmt => ({ kind: 'assign', variable: v, value });

const leave: Stmt = { kind: 'return', values: [] };

/** Leaves the functor: the pair does not count. */
export const leaveIf = (condition: Expr): Stmt => ({
  kind: 'if',
  condition,
  then: [leave],
  else: [],
});
