import type { Expr, HelperIR } from '../../ir.js';
import type { JavaScriptEnv } from './JavaScriptEnv.js';

/** Locals never contain `$`, so helpers cannot collide with them. */
export const helperName = (helper: HelperIR): string => `h$${helper.name}`;

/** What JavaScript has itself is called there, so that the direct call gives the same bits. */
const calleeName = (helper: HelperIR): string =>
  helper.builtin?.math ? `Math.${helper.builtin.math}` : helperName(helper);

/** An expression in parentheses where needed. Ints are kept in their 32 bits (and −0 becomes 0). */
export function expressionText(e: Expr, env: JavaScriptEnv): string {
  const text = (inner: Expr) => expressionText(inner, env);
  switch (e.kind) {
    case 'number':
      return numberText(e.value);
    case 'boolean':
      return String(e.value);
    case 'variable':
      return e.variable.id;
    case 'element':
      return `${e.variable.id}[${text(e.index)}]`;
    case 'field':
      return env.read(e.role, e.field);
    case 'item':
      return env.item(e.role, e.field, text(e.index));
    case 'unary':
      if (e.op === '!') return `(!${text(e.operand)})`;
      if (e.op === '~') return `(~${text(e.operand)})`;
      return wrap(`-${text(e.operand)}`, e.type);
    case 'binary':
      if (e.type !== 'real' && e.op === '*') {
        return wrap(`Math.imul(${text(e.left)}, ${text(e.right)})`, e.type);
      }
      return wrap(`${text(e.left)} ${e.op} ${text(e.right)}`, e.type);
    case 'bits':
    case 'logic':
      return `(${text(e.left)} ${e.op} ${text(e.right)})`;
    case 'compare':
      return `(${text(e.left)} ${e.op === '==' ? '===' : e.op === '!=' ? '!==' : e.op} ${text(e.right)})`;
    case 'select':
      return `(${text(e.condition)} ? ${text(e.then)} : ${text(e.else)})`;
    case 'test':
      return `Number.${e.name}(${text(e.operand)})`;
    case 'math':
      if (e.name === 'mulHigh') return `h$mulHigh(${e.args.map(text).join(', ')})`;
      return wrap(`Math.${e.name}(${e.args.map(text).join(', ')})`, e.type);
    case 'cast':
      return castText(e, text(e.operand));
    case 'call':
      return `${calleeName(e.helper)}(${e.args.map(text).join(', ')})`;
  }
}

/** A literal that reads back to the same double. */
function numberText(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  const text = Object.is(value, -0) ? '-0' : String(value);
  return text.startsWith('-') ? `(${text})` : text;
}

function wrap(text: string, type: Expr['type']): string {
  if (type === 'i32') return `((${text}) | 0)`;
  if (type === 'u32') return `((${text}) >>> 0)`;
  return `(${text})`;
}

function castText(e: Extract<Expr, { kind: 'cast' }>, operand: string): string {
  const from = e.operand.type;
  if (from === 'bool') return `(${operand} ? 1 : 0)`;
  if (e.type === 'real') return operand;
  if (e.type === 'i32')
    return from === 'u32' ? `Math.min(${operand}, 2147483647)` : `h$i32(${operand})`;
  return from === 'i32' ? `Math.max(${operand}, 0)` : `h$u32(${operand})`;
}
