import type { Expr, ValueType, Variable } from '../ir.js';
import { castNumber, convert, literal, named, number, signed, unsigned } from './conversions.js';
import type { DraftExpr, Local } from './Draft.js';
import type { HelperLibrary } from './HelperLibrary.js';
import type { HelperInstance } from './HelperTemplate.js';
import { setOrigin } from './origins.js';
import type { SourceText } from './SourceText.js';
import { integerMath, isInt, joinOperands, settle, typeOf } from './typeOf.js';

/** What emission needs besides the draft. */
export interface Emission {
  readonly source: SourceText;
  readonly library: HelperLibrary;
  onCall(instance: HelperInstance): void;
}

export function variableOf(local: Local): Variable {
  local.variable ??= { id: local.id, name: local.name, type: settle(local.type), size: local.size };
  return local.variable;
}

/** Elements of an array that is only indexed by numbers are variables of their own. */
export function elementsOf(local: Local): readonly Variable[] {
  local.elements ??= Array.from({ length: local.size }, (_, k) => ({
    id: `${local.id}_${k}`,
    name: `${local.name}[${k}]`,
    type: settle(local.type),
    size: 0,
  }));
  return local.elements;
}

/** Draft expression → typed expression of the wanted type, or of its own type. */
export function emit(m: Emission, e: DraftExpr, wanted?: ValueType): Expr {
  if (e.kind === 'number') return literal(m.source, e.value, wanted ?? 'real', e.node);
  if (e.kind === 'boolean' && (wanted ?? 'bool') === 'bool')
    return { kind: 'boolean', type: 'bool', value: e.value };
  // A literal operand follows what is wanted of the whole.
  if (wanted && isInt(wanted) && typeOf(e, m.library) === 'literal') return emitTyped(m, e, wanted);
  const expr = emitTyped(m, e, settle(typeOf(e, m.library)));
  setOrigin(expr, { source: m.source, node: e.node });
  return wanted ? convert(m.source, expr, wanted, e.node) : expr;
}

/** A condition. */
export const emitCondition = (m: Emission, e: DraftExpr): Expr => {
  if (e.kind === 'number') return { kind: 'boolean', type: 'bool', value: !!e.value };
  return emit(m, e, 'bool');
};

/** An index into an array: any integer. */
export function emitIndex(m: Emission, e: DraftExpr): Expr {
  if (e.kind === 'number') return literal(m.source, e.value, 'u32', e.node);
  const type = typeOf(e, m.library);
  const expr = emit(m, e, type === 'u32' ? 'u32' : type === 'literal' ? 'i32' : undefined);
  if (isInt(expr.type)) return expr;
  return m.source.fail(
    'FUNCTOR_TYPE',
    e.node,
    `the index '${m.source.quote(e.node)}' is ${named(expr.type)}`,
    'wrap it in h.i32()',
  );
}

function emitTyped(m: Emission, e: DraftExpr, type: ValueType): Expr {
  switch (e.kind) {
    case 'number':
      return literal(m.source, e.value, type, e.node);
    case 'boolean':
      return { kind: 'boolean', type: 'bool', value: e.value };
    case 'local':
      return { kind: 'variable', type: settle(e.local.type), variable: variableOf(e.local) };
    case 'element': {
      const own = settle(e.local.type);
      if (!e.local.dynamic && e.index.kind === 'number') {
        return { kind: 'variable', type: own, variable: elementsOf(e.local)[e.index.value]! };
      }
      return {
        kind: 'element',
        type: own,
        variable: variableOf(e.local),
        index: emitIndex(m, e.index),
      };
    }
    case 'field':
      return { kind: 'field', type: e.info.type, role: e.role, field: e.field };
    case 'item':
      return {
        kind: 'item',
        type: e.info.type,
        role: e.role,
        field: e.field,
        index: emitIndex(m, e.index),
      };
    case 'unary':
      return emitUnary(m, e, type);
    case 'binary': {
      const numeric = requireNumber(m, e, type);
      return {
        kind: 'binary',
        type: numeric,
        op: e.op,
        left: emit(m, e.left, numeric),
        right: emit(m, e.right, numeric),
      };
    }
    case 'bits': {
      const result = e.op === '>>>' ? 'u32' : 'i32';
      const shift = e.op === '<<' || e.op === '>>' || e.op === '>>>';
      const left = emitBits(m, e.left);
      const right = emitBits(m, e.right);
      return { kind: 'bits', type: result, op: e.op, left, right: shift ? unsigned(right) : right };
    }
    case 'imul':
      return emitProduct(m, e);
    case 'test':
      return emitTest(m, e);
    case 'compare':
      return emitCompare(m, e);
    case 'logic':
      return {
        kind: 'logic',
        type: 'bool',
        op: e.op,
        left: emitCondition(m, e.left),
        right: emitCondition(m, e.right),
      };
    case 'select':
      return {
        kind: 'select',
        type,
        condition: emitCondition(m, e.condition),
        then: emit(m, e.then, type),
        else: emit(m, e.else, type),
      };
    case 'math': {
      const numeric = integerMath.has(e.name) ? requireNumber(m, e, type) : 'real';
      return {
        kind: 'math',
        type: numeric,
        name: e.name,
        args: e.args.map((arg) => emit(m, arg, numeric)),
      };
    }
    case 'cast':
      return emitCast(m, e.operand, e.to);
    case 'call': {
      const instance = m.library.instance(
        e.helper,
        e.args.map((arg) => typeOf(arg, m.library)),
      );
      m.onCall(instance);
      const args = e.args.map((arg, k) => emit(m, arg, instance.params[k]!));
      return { kind: 'call', type: instance.results[0]!, helper: instance.ir, args };
    }
  }
}

function requireNumber(m: Emission, e: DraftExpr, type: ValueType): 'real' | 'i32' | 'u32' {
  if (type !== 'bool') return type;
  return m.source.fail(
    'FUNCTOR_TYPE',
    e.node,
    'a truth value is used as a number',
    'write condition ? 1 : 0, or h.real(condition)',
  );
}

function emitUnary(m: Emission, e: Extract<DraftExpr, { kind: 'unary' }>, type: ValueType): Expr {
  if (e.op === '!')
    return { kind: 'unary', type: 'bool', op: '!', operand: emitCondition(m, e.operand) };
  if (e.op === '~')
    return { kind: 'unary', type: 'i32', op: '~', operand: signed(emitBits(m, e.operand)) };
  if (e.op === '+') {
    if (typeOf(e.operand, m.library) !== 'bool') return emit(m, e.operand, type);
    return { kind: 'cast', type: requireNumber(m, e, type), operand: emit(m, e.operand) };
  }
  const numeric = requireNumber(m, e, type);
  return { kind: 'unary', type: numeric, op: '-', operand: emit(m, e.operand, numeric) };
}

/** An operand of a bit operation: an int of either sign, whose 32 bits count. */
function emitBits(m: Emission, e: DraftExpr): Expr {
  if (e.kind === 'number') {
    if (!Number.isInteger(e.value)) return literal(m.source, e.value, 'i32', e.node);
    return literal(m.source, e.value, e.value > 2147483647 ? 'u32' : 'i32', e.node);
  }
  const type = typeOf(e, m.library);
  const expr = emit(m, e, type === 'literal' ? 'i32' : undefined);
  if (isInt(expr.type)) return expr;
  return m.source.fail(
    'FUNCTOR_TYPE',
    e.node,
    `'${m.source.quote(e.node)}' is ${named(expr.type)}, but bit operations need ints`,
    'wrap it in h.i32() or h.u32()',
  );
}

/** Half of the 64 bits of a product. */
function emitProduct(m: Emission, e: Extract<DraftExpr, { kind: 'imul' }>): Expr {
  const [left, right] = [emitBits(m, e.left), emitBits(m, e.right)];
  if (e.half === 'low')
    return { kind: 'binary', type: 'i32', op: '*', left: signed(left), right: signed(right) };
  return { kind: 'math', type: 'u32', name: 'mulHigh', args: [unsigned(left), unsigned(right)] };
}

/** Ints are finite. */
function emitTest(m: Emission, e: Extract<DraftExpr, { kind: 'test' }>): Expr {
  const operand = emit(m, e.operand);
  if (operand.type === 'real') return { kind: 'test', type: 'bool', name: e.name, operand };
  requireNumber(m, e.operand, operand.type);
  return { kind: 'boolean', type: 'bool', value: e.name === 'isFinite' };
}

function emitCompare(m: Emission, e: Extract<DraftExpr, { kind: 'compare' }>): Expr {
  const type = settle(joinOperands(e.left, e.right, m.library));
  if (type !== 'bool') {
    return {
      kind: 'compare',
      type: 'bool',
      op: e.op,
      left: emit(m, e.left, type),
      right: emit(m, e.right, type),
    };
  }
  const equality = e.op === '==' || e.op === '!=';
  const bit =
    e.left.kind === 'number' ? e.left.value : e.right.kind === 'number' ? e.right.value : null;
  if (equality && e.loose && (bit === 0 || bit === 1)) {
    const condition = emit(m, e.left.kind === 'number' ? e.right : e.left);
    if ((bit === 1) === (e.op === '==')) return condition;
    return { kind: 'unary', type: 'bool', op: '!', operand: condition };
  }
  const both = [e.left, e.right].every((side) => typeOf(side, m.library) === 'bool');
  if (!equality || !both) {
    return m.source.fail(
      'FUNCTOR_TYPE',
      e.node,
      'a truth value is compared with a number',
      'compare two numbers, or use && || !',
    );
  }
  const right = emit(m, e.right);
  const opposite: Expr = { kind: 'unary', type: 'bool', op: '!', operand: right };
  const [then, otherwise] = e.op === '==' ? [right, opposite] : [opposite, right];
  return { kind: 'select', type: 'bool', condition: emit(m, e.left), then, else: otherwise };
}

function emitCast(m: Emission, operand: DraftExpr, to: 'real' | 'i32' | 'u32'): Expr {
  if (operand.kind === 'number') return number(castNumber(operand.value, to), to);
  if (operand.kind === 'boolean') return number(operand.value ? 1 : 0, to);
  const inner = emit(m, operand);
  return inner.type === to ? inner : { kind: 'cast', type: to, operand: inner };
}
