import type { Expr, FunctorKind, HelperIR, ValueType } from '../../ir.js';
import { foldNumbers } from './foldNumbers.js';
import type { RealText } from './real/RealText.js';
import type { Support } from './Support.js';
import type { WgslEnv } from './WgslEnv.js';
import { wgslMember } from './wgslNames.js';

export interface WgslContext {
  readonly prefix: string;
  readonly kind: FunctorKind;
  readonly env: WgslEnv;
  readonly support: Support;
  readonly real: RealText;
}

export const wgslType = (
  type: ValueType,
  { real }: { readonly real: RealText },
): 'f32' | 'vec2f' | 'i32' | 'u32' | 'bool' => (type === 'real' ? real.type : type);

/** Locals end in a number, so a trailing underscore keeps helpers apart from them. */
export const helperName = (c: WgslContext, helper: HelperIR): string =>
  `${c.prefix}_${helper.name}_`;

/** A complete expression as text. */
export const wgslExpression = (e: Expr, c: WgslContext): string => text(foldNumbers(e), c);

/** A statement that adds to a sum of many terms. */
export const gatherStatement = (
  target: string,
  op: '+=' | '-=',
  value: Expr,
  c: WgslContext,
): string => c.real.gather(target, op, foldNumbers(value), (e) => text(e, c));

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
      if (e.left.type === 'real') return c.real.compare(e.op, text(e.left, c), text(e.right, c));
      return `(${text(e.left, c)} ${e.op} ${text(e.right, c)})`;
    case 'test':
      return c.real.test(e.name, text(e.operand, c), c.support);
    case 'logic':
      return `(${text(e.left, c)} ${e.op} ${text(e.right, c)})`;
    case 'select':
      return `select(${text(e.else, c)}, ${text(e.then, c)}, ${text(e.condition, c)})`;
    case 'math':
      return mathText(e, c);
    case 'cast':
      return castText(e, text(e.operand, c), c);
    case 'call':
      return `${helperName(c, e.helper)}(${e.args.map((arg) => text(arg, c)).join(', ')})`;
  }
}

function fieldText(e: Extract<Expr, { kind: 'field' }>, c: WgslContext): string {
  if (e.role === 'p') return c.env.param(e.field);
  if (e.role === 'd') return c.real.component(e.field);
  if (e.role === 'b') return `b_${e.field}`;
  const member = wgslMember(e.field);
  // Reductions read their particle by value; everybody else may write it.
  return e.role === 'i' && c.kind !== 'reduce' ? `(*i).${member}` : `${e.role}.${member}`;
}

/** A literal of its type. */
function wgslNumber(value: number, type: 'real' | 'i32' | 'u32', c: WgslContext): string {
  if (type === 'u32') return `${value}u`;
  if (type === 'i32')
    return value === -2147483648 ? 'i32(-2147483648)' : value < 0 ? `(${value}i)` : `${value}i`;
  return c.real.literal(value, c.support);
}

function binaryText(e: Extract<Expr, { kind: 'binary' }>, c: WgslContext): string {
  if (e.type === 'real') return c.real.binary(e, (operand) => text(operand, c), c.support);
  const left = text(e.left, c);
  const right = text(e.right, c);
  if (e.op !== '%') return `(${left} ${e.op} ${right})`;
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
  // WGSL shifts by the count modulo 32, as JavaScript does; only of constants it refuses larger ones.
  const count = e.right.kind === 'number' ? `${e.right.value & 31}u` : text(e.right, c);
  if (count === '0u') return left;
  return `(${left} ${op === '>>>' ? '>>' : op} ${count})`;
}

function bitPattern(e: Expr, type: 'i32' | 'u32', c: WgslContext): string {
  if (e.kind === 'number') return wgslNumber(type === 'i32' ? e.value | 0 : e.value >>> 0, type, c);
  return e.type === type ? text(e, c) : `bitcast<${type}>(${text(e, c)})`;
}

function castText(e: Extract<Expr, { kind: 'cast' }>, operand: string, c: WgslContext): string {
  const from = e.operand.type;
  const to = e.type;
  if (to === 'real') return from === 'real' ? operand : c.real.fromInt(from, operand);
  if (from === 'real') return c.real.toInt(to, operand);
  if (from === 'bool') return `${to}(${operand})`;
  if (from === 'u32' && e.type === 'i32') return `i32(min(${operand}, 2147483647u))`;
  if (from === 'i32' && e.type === 'u32') return `u32(max(${operand}, 0i))`;
  return `${to}(${operand})`;
}

function mathText(e: Extract<Expr, { kind: 'math' }>, c: WgslContext): string {
  const args = e.args.map((arg) => text(arg, c));
  if (e.type === 'real') {
    const exponent = e.name === 'pow' ? e.args[1]! : null;
    if (exponent?.kind === 'number') {
      if (exponent.value === 0.5) return c.real.math('sqrt', [args[0]!], c.support);
      if (Number.isInteger(exponent.value) && Math.abs(exponent.value) <= 64)
        return c.real.power(args[0]!, exponent.value, c.support);
    }
    return c.real.math(e.name, args, c.support);
  }
  if (e.name === 'mulHigh') return `${c.support.mulHigh()}(${args.join(', ')})`;
  if (e.type === 'u32' && e.name === 'abs') return args[0]!;
  if (e.type === 'u32' && e.name === 'sign') return `min(${args[0]}, 1u)`;
  return `${e.name}(${args.join(', ')})`;
}
