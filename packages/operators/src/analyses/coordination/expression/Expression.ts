/** A formula of one variable. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'variable' }
  | {
      readonly kind: 'binary';
      readonly op: BinaryOperator;
      readonly left: Expression;
      readonly right: Expression;
    }
  | { readonly kind: 'call'; readonly name: FunctionName; readonly argument: Expression };

export type BinaryOperator = '+' | '-' | '*' | '/' | '^';

/** Functions a formula may call. */
export const functionNames = [
  'sqrt',
  'exp',
  'log',
  'sin',
  'cos',
  'tan',
  'sinh',
  'cosh',
  'tanh',
  'abs',
  'step',
  'square',
  'cube',
  'recip',
] as const;
export type FunctionName = (typeof functionNames)[number];

export const number = (value: number): Expression => ({ kind: 'number', value });
export const variable: Expression = { kind: 'variable' };
const isNumber = (e: Expression, value: number): boolean =>
  e.kind === 'number' && e.value === value;

/** Joins two formulas; numbers meet, and what adds 0 or multiplies by 1 or 0 goes away. */
export function binary(op: BinaryOperator, left: Expression, right: Expression): Expression {
  if (left.kind === 'number' && right.kind === 'number')
    return number(applyBinary(op, left.value, right.value));
  if (op === '+' && isNumber(left, 0)) return right;
  if ((op === '+' || op === '-') && isNumber(right, 0)) return left;
  if (op === '*' && isNumber(left, 1)) return right;
  if ((op === '*' || op === '/' || op === '^') && isNumber(right, 1)) return left;
  if (op === '*' && (isNumber(left, 0) || isNumber(right, 0))) return number(0);
  if (op === '/' && isNumber(left, 0)) return number(0);
  if (op === '^' && isNumber(right, 0)) return number(1);
  return { kind: 'binary', op, left, right };
}

export function call(name: FunctionName, argument: Expression): Expression {
  if (argument.kind === 'number') return number(applyFunction(name, argument.value));
  if (name === 'square') return binary('^', argument, number(2));
  if (name === 'cube') return binary('^', argument, number(3));
  if (name === 'recip') return binary('/', number(1), argument);
  return { kind: 'call', name, argument };
}

export function applyBinary(op: BinaryOperator, a: number, b: number): number {
  switch (op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return a * b;
    case '/':
      return a / b;
    case '^':
      return a ** b;
  }
}

export function applyFunction(name: FunctionName, x: number): number {
  switch (name) {
    case 'step':
      return x >= 0 ? 1 : 0;
    case 'square':
      return x * x;
    case 'cube':
      return x * x * x;
    case 'recip':
      return 1 / x;
    default:
      return Math[name](x);
  }
}
