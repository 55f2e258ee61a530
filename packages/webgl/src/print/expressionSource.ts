import type { Expr } from '@corpuscle/patterns';

/** How printed source reaches what lies outside the functor. */
export interface SourceEnv {
  /** A scalar field or parameter. */
  read(role: string, field: string): string;
  /** An element of a table. */
  item(role: string, field: string, index: string): string;
  /** Statement that writes a field of the particle or a result. */
  write(field: string, op: string, value: string): string;
}

/** Names of helpers in printed source: a prefix keeps them apart from locals, which end in `_<digits>`. */
export const helperName = (name: string, result = 0): string => `h_${name}${result || ''}`;

/**
 * An expression as gpu.js kernel source. Every number is a float there, integers too (exact up to 2²⁴); truth values occur
 * in conditions only, and are 0 or 1 where they are stored.
 */
export function valueSource(e: Expr, env: SourceEnv): string {
  if (e.type === 'bool') return `(${conditionSource(e, env)} ? 1.0 : 0.0)`;
  const text = (inner: Expr) => valueSource(inner, env);
  switch (e.kind) {
    case 'number':
      return numberSource(e.value);
    case 'variable':
      return e.variable.id;
    case 'field':
      return env.read(e.role, e.field);
    case 'item':
      return env.item(e.role, e.field, text(e.index));
    case 'unary':
      return `(-${text(e.operand)})`;
    case 'binary':
      return e.op === '%'
        ? `h_remainder(${text(e.left)}, ${text(e.right)})`
        : `(${text(e.left)} ${e.op} ${text(e.right)})`;
    case 'bits':
      return bitsSource(e, text(e.left));
    case 'select':
      return `(${conditionSource(e.condition, env)} ? ${text(e.then)} : ${text(e.else)})`;
    case 'math':
      return mathSource(e.name, e.args.map(text));
    case 'cast':
      return castSource(e, text(e.operand));
    case 'call':
      return `${helperName(e.helper.name)}(${e.args.map(text).join(', ')})`;
    default:
      throw new Error(`gpu.js source has no ${e.kind}`); // refused before: see refusal.ts
  }
}

/**
 * The two bit operations that arithmetic can do: `x | 0`, which only makes an i32, and `x & (2ᵏ − 1)`, the remainder that is
 * never negative. Null for all others.
 */
export function arithmeticBits(e: Extract<Expr, { kind: 'bits' }>): 'same' | 'low' | null {
  if (e.right.kind !== 'number') return null;
  const { value } = e.right;
  if (e.op === '|' && value === 0) return 'same';
  return e.op === '&' && value > 0 && value < 2 ** 23 && (value & (value + 1)) === 0 ? 'low' : null;
}

function bitsSource(e: Extract<Expr, { kind: 'bits' }>, left: string): string {
  const size = e.right.kind === 'number' ? e.right.value + 1 : 1;
  return arithmeticBits(e) === 'low' ? `h_low(${left}, ${size}.0)` : left;
}

/** A truth value in the place of a condition. */
export function conditionSource(e: Expr, env: SourceEnv): string {
  const condition = (inner: Expr) => conditionSource(inner, env);
  switch (e.kind) {
    case 'boolean':
      return e.value ? '(1.0 > 0.0)' : '(0.0 > 1.0)';
    case 'compare': {
      const op = e.op === '==' ? '===' : e.op === '!=' ? '!==' : e.op;
      return `(${valueSource(e.left, env)} ${op} ${valueSource(e.right, env)})`;
    }
    case 'logic':
      return `(${condition(e.left)} ${e.op} ${condition(e.right)})`;
    case 'unary':
      return `(!${condition(e.operand)})`;
    case 'select': {
      const test = condition(e.condition);
      return `((${test} && ${condition(e.then)}) || (!${test} && ${condition(e.else)}))`;
    }
    case 'variable':
      return `(${e.variable.id} > 0.5)`;
    case 'call':
      return `(${helperName(e.helper.name)}(${e.args.map((arg) => valueSource(arg, env)).join(', ')}) > 0.5)`;
    default:
      throw new Error(`gpu.js source has no ${e.kind} as a condition`);
  }
}

/** A literal; the decimal point keeps gpu.js from making it an integer. */
function numberSource(value: number): string {
  const text = String(Math.abs(value));
  const literal = /[.e]/.test(text) ? text : `${text}.0`;
  return value < 0 || Object.is(value, -0) ? `(-${literal})` : literal;
}

/** What GLSL defines otherwise than JavaScript, or leaves open, goes through functions of our own. */
function mathSource(name: string, args: readonly string[]): string {
  switch (name) {
    case 'fround':
      return args[0]!; // everything is single precision already
    case 'pow':
    case 'tanh':
    case 'round':
    case 'trunc':
      return `h_${name}(${args.join(', ')})`;
    case 'hypot':
      return `Math.sqrt(${args.map((arg) => `${arg} * ${arg}`).join(' + ')})`;
    default:
      return `Math.${name}(${args.join(', ')})`;
  }
}

function castSource(e: Extract<Expr, { kind: 'cast' }>, operand: string): string {
  const from = e.operand.type;
  if (e.type === 'real' || from === 'bool') return operand;
  if (from === 'real') return e.type === 'i32' ? `h_trunc(${operand})` : `h_whole(${operand})`;
  return e.type === 'u32' ? `Math.max(${operand}, 0.0)` : operand;
}
