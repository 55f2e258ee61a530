import type { ValueType } from '../ir.js';
import type { DraftExpr, DraftType } from './Draft.js';
import type { HelperLibrary } from './HelperLibrary.js';

/** The type of an expression as far as it is known. Mixtures of numbers and truth values are reported at emission. */
export function typeOf(e: DraftExpr, library: HelperLibrary): DraftType {
  const type = (inner: DraftExpr) => typeOf(inner, library);
  switch (e.kind) {
    case 'number':
      // Ints have no −0.
      return Number.isInteger(e.value) && !Object.is(e.value, -0) ? 'literal' : 'real';
    case 'boolean':
    case 'compare':
    case 'logic':
    case 'test':
      return 'bool';
    case 'local':
    case 'element':
      return e.local.type;
    case 'field':
    case 'item':
      return e.info.type;
    case 'unary': {
      if (e.op === '!') return 'bool';
      if (e.op === '~') return 'i32';
      const operand = type(e.operand);
      if (e.op === '+') return operand === 'bool' ? 'literal' : operand;
      return operand === 'u32' ? 'i32' : operand;
    }
    case 'binary': {
      if (e.op === '/') return 'real';
      const joined = joinOperands(e.left, e.right, library);
      // The difference of two unsigned numbers is negative as often as not.
      return e.op === '-' && joined === 'u32' ? 'i32' : joined;
    }
    case 'bits':
      return e.op === '>>>' ? 'u32' : 'i32';
    case 'imul':
      return e.half === 'low' ? 'i32' : 'u32';
    case 'select':
      return joinOperands(e.then, e.else, library);
    case 'math':
      if (!integerMath.has(e.name)) return 'real';
      return e.args.length === 1 ? type(e.args[0]!) : joinOperands(e.args[0]!, e.args[1]!, library);
    case 'cast':
      return e.to;
    case 'call':
      return library.instance(e.helper, e.args.map(type)).results[0]!;
  }
}

/** Math functions that give an integer for integers. */
export const integerMath: ReadonlySet<string> = new Set(['abs', 'min', 'max', 'sign']);

/** The common type of two operands; a literal takes the other's type if its value fits. */
export function joinOperands(left: DraftExpr, right: DraftExpr, library: HelperLibrary): DraftType {
  const a = typeOf(left, library);
  const b = typeOf(right, library);
  if (a === 'literal' && left.kind === 'number') return joinNumber(left.value, b);
  if (b === 'literal' && right.kind === 'number') return joinNumber(right.value, a);
  return joinTypes(a, b);
}

function joinNumber(value: number, type: DraftType): DraftType {
  if (type === 'u32' && value < 0) return value < -2147483648 ? 'real' : 'i32';
  if (type === 'u32') return value > 4294967295 ? 'real' : 'u32';
  if (type === 'i32') return value > 2147483647 || value < -2147483648 ? 'real' : 'i32';
  return type;
}

export function joinTypes(a: DraftType, b: DraftType): DraftType {
  if (a === b) return a;
  if (a === 'bool' || b === 'bool') return 'bool';
  if (a === 'literal') return b;
  if (b === 'literal') return a;
  return a === 'real' || b === 'real' ? 'real' : 'i32';
}

export const isInt = (type: DraftType): type is 'i32' | 'u32' => type === 'i32' || type === 'u32';

/** A literal that is not demanded as an integer is a real. */
export const settle = (type: DraftType): ValueType => (type === 'literal' ? 'real' : type);
