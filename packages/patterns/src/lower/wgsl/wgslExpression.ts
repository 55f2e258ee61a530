import type { Expr, FunctorKind, HelperIR, ValueType } from '../../functor/ir.js';
import { foldNumbers } from './foldNumbers.js';
import type { Support } from './Support.js';
import type { WgslEnv } from './WgslEnv.js';
import { wgslMember } from './wgslNames.js';

export interface WgslContext {
  readonly prefix: string;
  readonly kind: FunctorKind;
  readonly env: WgslEnv;
  readonly support: Support;
}

export const wgslType = (type: ValueType): 'f32' | 'i32' | 'u32' | 'bool' =>
  type === 'real' ? 'f32' : type;

/** Locals end in a number, so a trailing underscore keeps helpers apart from them. */
export const helperName = (c: WgslContext, helper: HelperIR): string =>
  `${c.prefix}_${helper.name}_`;

/** A complete expression as text. */
export const wgslExpression = (e: Expr, c: WgslContext): string => text(foldNumbers(e), c);

/** An index as a u32; a negative one becomes huge, and is then clamped or refused. */
export function wgslIndex(e: Expr, c: WgslContext): string {
  const folded = foldNumbers(e);
  if (folded.kind === 'number') return `${folded.value >>> 0}u`;
  return folded.type === 'u32' ? text(folded, c) : `u32(${text(folded, c)})`;
}

function text(e: Expr, c: WgslContext): string {
  switch (e.kind) {
    case 'number':
      return wgslNumber(e.value, e.type, c);
    case 'boolean':
      return String(e.value);
    case 'variable':
      return e.variable.id;
    case 'element':
      if (e.index.kind === 'number') return `${e.variable.id}[${e.index.value}]`;
      return `${e.variable.id}[min(${wgslIndex(e.index, c)}, ${e.variable.size - 1}u)]`;
    case 'field':
      return fieldText(e, c);
    case 'item':
      return c.env.item(e.role, e.field, wgslIndex(e.index, c));
    case 'unary':
      return `(${e.op}${text(e.operand, c)})`;
    case 'binary':
      return binaryText(e, c);
    case 'bits':
      return bitsText(e, c);
    case 'compare':
    case 'logic':
      return `(${text(e.left, c)} ${e.op} ${text(e.right, c)})`;
    case 'select':
      return `select(${text(e.else, c)}, ${text(e.then, c)}, ${text(e.condition, c)})`;
    case 'math':
      return mathText(e, c);
    case 'cast':
      return castText(e, text(e.operand, c));
    case 'call':
      return `${helperName(c, e.helper)}(${e.args.map((arg) => text(arg, c)).join(', ')})`;
  }
}

function fieldText(e: Extract<Expr, { kind: 'field' }>, c: WgslContext): string {
  if (e.role === 'p') return c.env.param(e.field);
  if (e.role === 'd') return e.field === 'r2' ? 'd.w' : `d.${e.field}`;
  const member = wgslMember(e.field);
  // Reductions read their particle by value; everybody else may write it.
  return e.role === 'i' && c.kind !== 'reduce' ? `(*i).${member}` : `${e.role}.${member}`;
}

/** A literal of its type. */
export function wgslNumber(value: number, type: 'real' | 'i32' | 'u32', c: WgslContext): string {
  if (type === 'u32') return `${value}u`;
  if (type === 'i32')
    return value === -2147483648 ? 'i32(-2147483648)' : value < 0 ? `(${value}i)` : `${value}i`;
  const single = Math.fround(value);
  if (Number.isNaN(single)) return c.support.bits(0x7fc00000);
  if (!Number.isFinite(single)) return c.support.bits(single > 0 ? 0x7f800000 : 0xff800000);
  let digits = 1;
  while (digits < 9 && Math.fround(Number(single.toPrecision(digits))) !== single) digits++;
  const short = String(Number(single.toPrecision(digits)));
  const literal = `${/[.e]/.test(short) ? short : `${short}.0`}f`;
  if (Object.is(single, -0)) return '(-0.0f)';
  return single < 0 ? `(${literal})` : literal;
}

function binaryText(e: Extract<Expr, { kind: 'binary' }>, c: WgslContext): string {
  const left = text(e.left, c);
  const right = text(e.right, c);
  if (e.op !== '%') return `(${left} ${e.op} ${right})`;
  if (e.type === 'real') return `${c.support.remainder()}(${left}, ${right})`;
  if (e.right.kind === 'number' && e.right.value > 0) return `(${left} % ${right})`;
  return `${c.support.integerRemainder(e.type)}(${left}, ${right})`;
}

function bitsText(e: Extract<Expr, { kind: 'bits' }>, c: WgslContext): string {
  const { op } = e;
  const left = bitPattern(e.left, op === '>>>' ? 'u32' : 'i32', c);
  if (op === '&' || op === '|' || op === '^') {
    if (op === '|' && e.right.kind === 'number' && e.right.value === 0) return left;
    return `(${left} ${op} ${bitPattern(e.right, 'i32', c)})`;
  }
  const count =
    e.right.kind === 'number' ? `${e.right.value & 31}u` : `(${text(e.right, c)} & 31u)`;
  if (count === '0u') return left;
  return `(${left} ${op === '>>>' ? '>>' : op} ${count})`;
}

function bitPattern(e: Expr, type: 'i32' | 'u32', c: WgslContext): string {
  if (e.kind === 'number') return wgslNumber(type === 'i32' ? e.value | 0 : e.value >>> 0, type, c);
  return e.type === type ? text(e, c) : `bitcast<${type}>(${text(e, c)})`;
}

function castText(e: Extract<Expr, { kind: 'cast' }>, operand: string): string {
  const from = e.operand.type;
  const to = wgslType(e.type);
  if (from === 'bool') return `${to}(${operand})`;
  if (from === 'u32' && e.type === 'i32') return `i32(min(${operand}, 2147483647u))`;
  if (from === 'i32' && e.type === 'u32') return `u32(max(${operand}, 0i))`;
  return `${to}(${operand})`;
}

function mathText(e: Extract<Expr, { kind: 'math' }>, c: WgslContext): string {
  const args = e.args.map((arg) => text(arg, c));
  const call = (name: string) => `${name}(${args.join(', ')})`;
  switch (e.name) {
    case 'round':
      return call(c.support.round());
    case 'sin':
      return call(c.support.sin());
    case 'cos':
      return call(c.support.cos());
    case 'tanh':
      return call(c.support.tanh());
    case 'hypot':
      return call(c.support.hypot(args.length));
    case 'fround':
      return args[0]!;
    case 'pow':
      return powText(e, args, c);
    case 'sign':
    case 'abs':
      if (e.type !== 'u32') return call(e.name);
      return e.name === 'abs' ? args[0]! : `min(${args[0]}, 1u)`;
    default:
      return call(e.name);
  }
}

function powText(
  e: Extract<Expr, { kind: 'math' }>,
  args: readonly string[],
  c: WgslContext,
): string {
  const exponent = e.args[1]!;
  if (exponent.kind === 'number') {
    if (exponent.value === 0.5) return `sqrt(${args[0]})`;
    if (Number.isInteger(exponent.value) && Math.abs(exponent.value) <= 64) {
      return `${c.support.power(exponent.value)}(${args[0]})`;
    }
  }
  return `${c.support.pow()}(${args.join(', ')})`;
}
