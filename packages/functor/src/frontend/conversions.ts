import type { Node } from 'acorn';
import type { Expr, ValueType } from '../ir.js';
import type { SourceText } from './SourceText.js';
import { isInt } from './typeOf.js';

export const number = (value: number, type: 'real' | 'i32' | 'u32'): Expr => ({
  kind: 'number',
  type,
  value,
});

/** The least and the largest number of an int type. */
const rangeOf = (type: 'i32' | 'u32'): readonly [number, number] =>
  type === 'i32' ? [-2147483648, 2147483647] : [0, 4294967295];

/** A literal as a number of this type. @throws CorpuscleError FUNCTOR_TYPE where it does not fit. */
export function literal(source: SourceText, value: number, type: ValueType, node: Node): Expr {
  if (type === 'real') return number(value, 'real');
  if (type === 'bool') {
    return source.fail(
      'FUNCTOR_TYPE',
      node,
      `${value} is used as a truth value`,
      'write true or false',
    );
  }
  const [least, most] = rangeOf(type);
  if (Number.isInteger(value) && value >= least && value <= most)
    return number(value === 0 ? 0 : value, type);
  return source.fail(
    'FUNCTOR_TYPE',
    node,
    `${value} does not fit ${named(type)}`,
    Number.isInteger(value) ? `use a value from ${least} to ${most}` : `wrap it in h.${type}()`,
  );
}

/** What `h.real`, `h.i32` and `h.u32` make of a number. */
export function castNumber(value: number, to: 'real' | 'i32' | 'u32'): number {
  if (to === 'real') return value;
  if (Number.isNaN(value)) return 0;
  const [least, most] = rangeOf(to);
  return Math.min(most, Math.max(least, Math.trunc(value))) + 0;
}

/** The same 32 bits, read as the other type: `x | 0` and `x >>> 0`. */
export function signed(expr: Expr): Expr {
  if (expr.type === 'i32') return expr;
  if (expr.kind === 'number') return number(expr.value | 0, 'i32');
  return { kind: 'bits', type: 'i32', op: '|', left: expr, right: number(0, 'i32') };
}

export function unsigned(expr: Expr): Expr {
  if (expr.type === 'u32') return expr;
  if (expr.kind === 'number') return number(expr.value >>> 0, 'u32');
  return { kind: 'bits', type: 'u32', op: '>>>', left: expr, right: number(0, 'u32') };
}

/** The same value as another type. Conversions that need no word from the user are made; all others are errors with the word to say. */
export function convert(source: SourceText, expr: Expr, to: ValueType, node: Node): Expr {
  const from = expr.type;
  if (from === to) return expr;
  if (to === 'bool') {
    if (isInt(from))
      return { kind: 'compare', type: 'bool', op: '!=', left: expr, right: number(0, from) };
    return source.fail(
      'FUNCTOR_TYPE',
      node,
      `'${source.quote(node)}' is a number where a truth value is needed`,
      'compare it: x !== 0',
    );
  }
  if (from === 'bool') {
    return source.fail(
      'FUNCTOR_TYPE',
      node,
      'a truth value is used as a number',
      'write condition ? 1 : 0, or h.real(condition)',
    );
  }
  if (to === 'real') return { kind: 'cast', type: 'real', operand: expr };
  if (from === 'real') {
    return source.fail(
      'FUNCTOR_TYPE',
      node,
      `'${source.quote(node)}' is a real, but an int (${to}) is needed`,
      `wrap it in h.${to}()`,
    );
  }
  if (to === 'i32') return { kind: 'cast', type: 'i32', operand: expr };
  return source.fail(
    'FUNCTOR_TYPE',
    node,
    `'${source.quote(node)}' is an i32, but a u32 is needed`,
    'wrap it in h.u32() (negatives become 0) or write >>> 0 (keeps the bits)',
  );
}

/** A type in messages. */
export function named(type: ValueType): string {
  return { real: 'a real', i32: 'an int (i32)', u32: 'an int (u32)', bool: 'a truth value' }[type];
}
