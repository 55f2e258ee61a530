import type { Expr } from '../../ir.js';
import { mulHigh } from '../../library/mulHigh.js';
import { mapOperands, operandsOf } from '../../passes/walk.js';

/**
 * Evaluates operations on number literals, in double precision and in 32-bit integers. WGSL refuses constant expressions
 * that overflow, divide by zero or shift too far; after this there are none left.
 */
export function foldNumbers(e: Expr): Expr {
  const folded = mapOperands(e, foldNumbers);
  if (
    folded.kind === 'number' ||
    folded.kind === 'call' ||
    folded.kind === 'item' ||
    folded.kind === 'element'
  ) {
    return folded;
  }
  const values = operandsOf(folded).map(numberOf);
  if (values.length === 0 || values.includes(null)) return folded;
  const [a, b] = values as [number, number];
  switch (folded.kind) {
    case 'unary':
      if (folded.op === '!') return folded;
      return typed(folded.type, folded.op === '-' ? -a : ~a);
    case 'binary':
      return typed(folded.type, arithmetic(folded, a, b));
    case 'bits':
      return typed(folded.type, bits(folded.op, a, b));
    case 'test':
      return { kind: 'boolean', type: 'bool', value: Number[folded.name](a) };
    case 'math': {
      if (folded.name === 'mulHigh') return typed('u32', mulHigh(a, b));
      const fn = Math[folded.name] as (...args: number[]) => number;
      return typed(folded.type, fn(...(values as number[])));
    }
    case 'cast':
      return typed(folded.type, saturate(folded.type, a));
    case 'compare':
      return { kind: 'boolean', type: 'bool', value: compare(folded.op, a, b) };
    default:
      return folded;
  }
}

const numberOf = (e: Expr): number | null => (e.kind === 'number' ? e.value : null);

function typed(type: Expr['type'], value: number): Expr {
  if (type === 'bool') throw new Error('a number cannot be a truth value');
  const wrapped = type === 'i32' ? value | 0 : type === 'u32' ? value >>> 0 : value;
  return { kind: 'number', type, value: wrapped };
}

function arithmetic(e: Extract<Expr, { kind: 'binary' }>, a: number, b: number): number {
  switch (e.op) {
    case '+':
      return a + b;
    case '-':
      return a - b;
    case '*':
      return e.type === 'real' ? a * b : Math.imul(a, b);
    case '/':
      return a / b;
    case '%':
      return a % b;
  }
}

function bits(op: Extract<Expr, { kind: 'bits' }>['op'], a: number, b: number): number {
  switch (op) {
    case '&':
      return a & b;
    case '|':
      return a | b;
    case '^':
      return a ^ b;
    case '<<':
      return a << b;
    case '>>':
      return a >> b;
    case '>>>':
      return a >>> b;
  }
}

function compare(op: Extract<Expr, { kind: 'compare' }>['op'], a: number, b: number): boolean {
  switch (op) {
    case '<':
      return a < b;
    case '>':
      return a > b;
    case '<=':
      return a <= b;
    case '>=':
      return a >= b;
    case '==':
      return a === b;
    case '!=':
      return a !== b;
  }
}

function saturate(type: Expr['type'], value: number): number {
  if (type === 'real') return value;
  if (Number.isNaN(value)) return 0;
  const [least, most] = type === 'i32' ? [-2147483648, 2147483647] : [0, 4294967295];
  return Math.min(most, Math.max(least, Math.trunc(value)));
}
