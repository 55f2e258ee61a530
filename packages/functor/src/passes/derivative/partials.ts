import type { Expr } from '../../ir.js';
import {
  call,
  chosen,
  difference,
  negative,
  number,
  product,
  quotient,
  splitFactor,
  sum,
} from './algebra.js';

/** What something changes by, per unit of what is derived by; null for what stays. */
export type Tangent = Expr | null;

const one = number(1);
const isZero = (e: Expr): Expr => compare('==', e, number(0));

const compare = (op: '<' | '>' | '<=' | '==', left: Expr, right: Expr): Expr => ({
  kind: 'compare',
  type: 'bool',
  op,
  left,
  right,
});

export const plus = (a: Tangent, b: Tangent): Tangent => (a && b ? sum(a, b) : (a ?? b));
export const times = (a: Expr, b: Tangent): Tangent => b && product(a, b);

type Binary = Extract<Expr, { kind: 'binary' }>;
type MathCall = Extract<Expr, { kind: 'math' }>;

/** What a sum, product or quotient changes by. */
export function binaryTangent(e: Binary, a: Tangent, b: Tangent): Tangent {
  switch (e.op) {
    case '+':
      return plus(a, b);
    case '-':
      return plus(a, b && negative(b));
    case '*':
      return plus(times(e.right, a), times(e.left, b));
    case '/':
      return quotientTangent(e, a, b);
    case '%': {
      // x % y = x − trunc(x / y) · y
      const whole = call('trunc', quotient(e.left, e.right));
      return plus(a, b && negative(product(whole, b)));
    }
  }
}

/** (a′ − (a / b) b′) / b; of a reciprocal −(1 / b)² b′, which divides no more. */
function quotientTangent(e: Binary, a: Tangent, b: Tangent): Tangent {
  if (!b) return a && quotient(a, e.right);
  const { factor, rest } = splitFactor(e.left);
  if (!a && rest.kind === 'number' && Math.abs(factor * rest.value) === 1) {
    const square = product(e, e);
    return product(factor * rest.value > 0 ? negative(square) : square, b);
  }
  const fall = product(e, b);
  return quotient(a ? difference(a, fall) : negative(fall), e.right);
}

/** What the rules ask of their surroundings. */
export interface Around {
  /** What a variable stands for; anything else stands for itself. */
  definition(e: Expr): Expr;
  tangentOf(e: Expr): Tangent;
}

/** What a function of Math changes by; without surroundings where tangents are not those of its operands. */
export function mathTangent(
  e: MathCall,
  tangents: readonly Tangent[],
  around: Around | null,
): Tangent {
  const [x, y] = e.args as [Expr, Expr];
  const [a = null, b = null] = tangents;
  switch (e.name) {
    case 'sqrt':
      return a && quotient(product(number(0.5), a), e);
    case 'exp':
      return times(e, a);
    case 'log':
      return a && quotient(a, x);
    case 'sin':
      return times(call('cos', x), a);
    case 'cos':
      return times(negative(call('sin', x)), a);
    case 'tanh':
      return times(difference(one, product(e, e)), a);
    case 'fround':
      return a;
    case 'abs':
      return a && chosen(compare('<', x, number(0)), negative(a), a);
    case 'min':
    case 'max': {
      if (!a && !b) return null;
      const first = e.name === 'min' ? compare('<=', x, y) : compare('<=', y, x);
      return chosen(first, a ?? number(0), b ?? number(0));
    }
    case 'pow':
      return plus(powerTangent(e, a, around), b && exponentTangent(e, x, b));
    case 'hypot': {
      const terms = e.args.reduce<Tangent>(
        (all, arg, k) => plus(all, times(arg, tangents[k]!)),
        null,
      );
      // At the origin there is no direction to change into.
      return terms && chosen(isZero(e), number(0), quotient(terms, e));
    }
    default:
      return null; // floor, ceil, trunc, round, sign: constant wherever they have a derivative
  }
}

/**
 * xʸ by its base: y xʸ⁻¹ x′, which is right at x = 0 too. A base c / b gives −y xʸ b′ / b, without a second power.
 */
function powerTangent(e: MathCall, tangent: Tangent, around: Around | null): Tangent {
  if (!tangent) return null;
  const [x, y] = e.args as [Expr, Expr];
  const base = around?.definition(x) ?? x;
  if (around && base.kind === 'binary' && base.op === '/' && !around.tangentOf(base.left)) {
    const fall = around.tangentOf(base.right)!;
    return negative(quotient(product(product(y, e), fall), base.right));
  }
  if (y.kind !== 'number') return product(product(y, call('pow', x, difference(y, one))), tangent);
  if (y.value === 0) return null;
  if (y.value === 1) return tangent;
  const lower = y.value === 2 ? x : call('pow', x, number(y.value - 1));
  return product(product(y, lower), tangent);
}

/** xʸ by its exponent: xʸ ln x; 0 where the base is 0, as the power is. */
function exponentTangent(e: MathCall, x: Expr, tangent: Expr): Expr {
  return chosen(isZero(x), number(0), product(product(e, call('log', x)), tangent));
}

/** What a function of the library changes by; undefined for those that have no rule. */
export function builtinTangent(
  e: Extract<Expr, { kind: 'call' }>,
  [a = null, b = null]: readonly Tangent[],
): Tangent | undefined {
  const [x, y] = e.args as [Expr, Expr];
  const gauss = () => product(number(2 / Math.sqrt(Math.PI)), call('exp', negative(product(x, x))));
  // (1 − x)(1 + x) keeps the digits of 1 − x² near ±1.
  const cosine = () => call('sqrt', product(difference(one, x), sum(one, x)));
  switch (e.helper.builtin?.math ?? e.helper.name) {
    case 'atan':
      return a && quotient(a, sum(one, product(x, x)));
    case 'atan2': {
      const top = plus(times(y, a), b && negative(product(x, b)));
      return top && quotient(top, sum(product(y, y), product(x, x)));
    }
    case 'asin':
      return a && quotient(a, cosine());
    case 'acos':
      return a && negative(quotient(a, cosine()));
    case 'sinh':
      return times(call('hypot', one, e), a);
    case 'cosh':
      return a && product(product(e, call('tanh', x)), a);
    case 'erf':
      return times(gauss(), a);
    case 'erfc':
      return times(negative(gauss()), a);
    default:
      return undefined;
  }
}
