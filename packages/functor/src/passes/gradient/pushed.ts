import type { Expr } from '../../ir.js';
import { chosen, negative, number } from '../derivative/algebra.js';
import { binaryTangent, builtinTangent, mathTangent } from '../derivative/partials.js';
import type { TangentHelpers } from '../derivative/Tangents.js';

/** A part of an expression, and what the result changes by with it. */
export interface Push {
  readonly operand: Expr;
  readonly adjoint: Expr;
}

/**
 * One step of reverse differentiation: from an expression to those of its operands that count. The rules are those of the
 * forward direction: they are linear in tangents, so that the adjoint of the result in place of the tangent of one operand
 * gives the adjoint of that operand.
 */
export function pushed(
  e: Expr,
  adjoint: Expr,
  isActive: (e: Expr) => boolean,
  helpers: TangentHelpers,
): Push[] {
  const found: Push[] = [];
  const push = (operand: Expr, value: Expr | null | undefined) => {
    if (value) found.push({ operand, adjoint: value });
  };
  /** The adjoint for operand k, nothing for the others. */
  const only = (args: readonly Expr[], k: number) => args.map((_, n) => (n === k ? adjoint : null));
  switch (e.kind) {
    case 'unary':
      push(e.operand, negative(adjoint));
      break;
    case 'binary':
      if (isActive(e.left)) push(e.left, binaryTangent(e, adjoint, null));
      if (isActive(e.right)) push(e.right, binaryTangent(e, null, adjoint));
      break;
    case 'select':
      if (isActive(e.then)) push(e.then, chosen(e.condition, adjoint, number(0)));
      if (isActive(e.else)) push(e.else, chosen(e.condition, number(0), adjoint));
      break;
    case 'math':
      e.args.forEach((arg, k) => {
        if (isActive(arg)) push(arg, mathTangent(e, only(e.args, k), null));
      });
      break;
    case 'call':
      e.args.forEach((arg, k) => {
        if (!isActive(arg)) return;
        const rule = builtinTangent(e, only(e.args, k));
        if (rule !== undefined) push(arg, rule);
        else push(arg, throughHelper(e, k, adjoint, helpers));
      });
      break;
    default:
      break;
  }
  return found;
}

function throughHelper(
  e: Extract<Expr, { kind: 'call' }>,
  k: number,
  adjoint: Expr,
  helpers: TangentHelpers,
): Expr | null {
  const helper = helpers.of(
    e.helper,
    e.args.map((_, n) => n === k),
  );
  return helper && { kind: 'call', type: 'real', helper, args: [...e.args, adjoint] };
}
