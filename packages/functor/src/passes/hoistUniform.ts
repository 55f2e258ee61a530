import type { Expr, FunctorIR, Stmt, Variable } from '../ir.js';
import { mapOperands, mapStatement, operandsOf } from './walk.js';

/** A functor, and what it takes from before the loop. */
export interface Hoisted {
  /** Values that depend on parameters only, in the order to compute them. */
  readonly prologue: readonly { readonly variable: Variable; readonly value: Expr }[];
  readonly ir: FunctorIR;
}

/**
 * Moves the largest sub-expressions that depend on parameters and constants only out of the functor: they are computed
 * once per call of a pattern. A bare parameter stays where it is. Arithmetic is unchanged, so results are identical.
 *
 * @param prefix of the names of their variables
 */
export function hoistUniform(ir: FunctorIR, prefix = ''): Hoisted {
  const prologue: { variable: Variable; value: Expr }[] = [];
  const known = new Map<string, Variable>();
  const hoist = (e: Expr): Expr => {
    if (!isUniform(e) || operandsOf(e).length === 0) return mapOperands(e, hoist);
    const key = keyOf(e);
    let variable = known.get(key);
    if (!variable) {
      const id = `${prefix}u${prologue.length}_`;
      variable = { id, name: id, type: e.type, size: 0 };
      known.set(key, variable);
      prologue.push({ variable, value: e });
    }
    return { kind: 'variable', type: e.type, variable };
  };
  const list = (body: readonly Stmt[]): readonly Stmt[] =>
    body.map((s) => mapStatement(s, hoist, list));
  return { ir: { ...ir, body: list(ir.body) }, prologue };
}

/** Depends on parameters and numbers only, and its value exists whatever the parameters are. */
export function isUniform(e: Expr): boolean {
  switch (e.kind) {
    case 'number':
      return true;
    case 'field':
      return e.role === 'p';
    case 'unary':
    case 'binary':
    case 'bits':
    case 'math':
    case 'cast':
      return e.type !== 'bool' && operandsOf(e).every(isUniform);
    case 'call':
      return e.type !== 'bool' && e.helper.builtin !== undefined && e.args.every(isUniform);
    default:
      return false;
  }
}

function keyOf(e: Expr): string {
  switch (e.kind) {
    case 'number':
      // Without its type: one operation gives the same for the same value, whatever type that has.
      return Object.is(e.value, -0) ? '-0' : `${e.value}`;
    case 'field':
      return `${e.role}.${e.field}`;
    case 'unary':
    case 'binary':
    case 'bits':
      return `(${e.type} ${e.op} ${operandsOf(e).map(keyOf).join(' ')})`;
    case 'math':
      return `(${e.type} ${e.name} ${operandsOf(e).map(keyOf).join(' ')})`;
    case 'call':
      return `(${e.helper.name} ${e.args.map(keyOf).join(' ')})`;
    default:
      return `(${e.kind} ${e.type} ${operandsOf(e).map(keyOf).join(' ')})`;
  }
}
