import type { Expr } from '../../ir.js';

/**
 * Sums and products as derivatives need them: written out, but for what follows exactly. Numbers stand first and signs
 * outside, so that they meet and cancel; two numbers are joined where one is a power of two, which rounds nothing.
 */
export const number = (value: number): Expr => ({ kind: 'number', type: 'real', value });

export function negative(e: Expr): Expr {
  if (e.kind === 'number') return number(-e.value);
  if (e.kind === 'unary' && e.op === '-') return e.operand;
  if (e.kind === 'binary' && e.op === '-') return { ...e, left: e.right, right: e.left };
  const split = splitFactor(e);
  if (split.factor !== 1) return scaled(-split.factor, split.rest);
  return { kind: 'unary', type: 'real', op: '-', operand: e };
}

export function sum(a: Expr, b: Expr): Expr {
  if (a.kind === 'number' && b.kind === 'number') return number(a.value + b.value);
  const shared = overOne(a, b) ?? timesOne(a, b);
  if (shared) return shared;
  const [x, y] = [splitFactor(a), splitFactor(b)];
  if (x.factor === y.factor && isExact(x.factor) && x.factor !== 1)
    return scaled(x.factor, sum(x.rest, y.rest));
  if (x.factor === -y.factor && isExact(x.factor)) {
    const [plus, minus] = x.factor > 0 ? [x, y] : [y, x];
    return scaled(plus.factor, binary('-', plus.rest, minus.rest));
  }
  return binary('+', a, b);
}

export function difference(a: Expr, b: Expr): Expr {
  return sum(a, negative(b));
}

export function product(a: Expr, b: Expr): Expr {
  const [x, y] = [splitFactor(a), splitFactor(b)];
  if (x.rest.kind === 'number') return scaled(x.factor * x.rest.value, b);
  if (y.rest.kind === 'number') return scaled(y.factor * y.rest.value, a);
  if (x.factor === 1 && y.factor === 1) return binary('*', a, b);
  if (isExact(x.factor) || isExact(y.factor))
    return scaled(x.factor * y.factor, binary('*', x.rest, y.rest));
  return scaled(x.factor, binary('*', x.rest, b));
}

export function quotient(a: Expr, b: Expr): Expr {
  if (b.kind === 'number') {
    if (isExact(b.value)) return scaled(1 / b.value, a);
    const { factor, rest } = splitFactor(a);
    if (rest.kind === 'number') return number((factor * rest.value) / b.value);
    if (Number.isInteger(factor / b.value)) return scaled(factor / b.value, rest);
  }
  const [x, y] = [splitFactor(a), splitFactor(b)];
  if (!isExact(y.factor)) return scaled(x.factor, binary('/', x.rest, b));
  return scaled(x.factor / y.factor, binary('/', x.rest, y.rest));
}

export const call = (name: Extract<Expr, { kind: 'math' }>['name'], ...args: Expr[]): Expr => ({
  kind: 'math',
  type: 'real',
  name,
  args,
});

export const chosen = (condition: Expr, then: Expr, otherwise: Expr): Expr => ({
  kind: 'select',
  type: 'real',
  condition,
  then,
  else: otherwise,
});

/** A number times something else; the factor is 1 where no number stands first. A plain number is `rest`. */
export function splitFactor(e: Expr): { readonly factor: number; readonly rest: Expr } {
  if (e.kind === 'unary' && e.op === '-') {
    const { factor, rest } = splitFactor(e.operand);
    return { factor: -factor, rest };
  }
  if (e.kind === 'binary' && e.op === '*' && e.left.kind === 'number')
    return { factor: e.left.value, rest: e.right };
  return { factor: 1, rest: e };
}

function scaled(factor: number, e: Expr): Expr {
  const { factor: inner, rest } = splitFactor(e);
  if (e.kind === 'number') return number(factor * e.value);
  if (inner !== 1 && (isExact(factor) || isExact(inner))) return scaled(factor * inner, rest);
  if (factor === 1) return e;
  if (factor === -1) return { kind: 'unary', type: 'real', op: '-', operand: e };
  return binary('*', number(factor), e);
}

/** Multiplying by it rounds nothing: a power of two of moderate size, or its negative. */
const isExact = (x: number): boolean => {
  const exponent = Math.log2(Math.abs(x));
  return Number.isInteger(exponent) && Math.abs(exponent) < 16;
};

/** a/c + b/c = (a + b)/c: one division less. */
function overOne(a: Expr, b: Expr): Expr | null {
  const [x, y] = [splitFactor(a), splitFactor(b)];
  const [top, bottom] = [x.rest, y.rest];
  if (top.kind !== 'binary' || top.op !== '/' || bottom.kind !== 'binary' || bottom.op !== '/')
    return null;
  if (!isSame(top.right, bottom.right)) return null;
  return quotient(sum(scaled(x.factor, top.left), scaled(y.factor, bottom.left)), top.right);
}

/** a c + b c = (a + b) c, with all that the two have in common: one product less, and of equal products a number. */
function timesOne(a: Expr, b: Expr): Expr | null {
  const [x, y] = [factorsOf(a), factorsOf(b)];
  const common: Expr[] = [];
  const left = x.factors.filter((factor) => {
    const k = y.factors.findIndex((other) => isSame(factor, other));
    if (k < 0) return true;
    common.push(factor);
    y.factors.splice(k, 1);
    return false;
  });
  if (common.length === 0) return null;
  const both = sum(multiplied(number(x.number), left), multiplied(number(y.number), y.factors));
  return multiplied(both, common);
}

const multiplied = (first: Expr, factors: readonly Expr[]): Expr => factors.reduce(product, first);

/** What a product is made of: a number, and the rest. */
function factorsOf(e: Expr): { readonly number: number; readonly factors: Expr[] } {
  if (e.kind === 'number') return { number: e.value, factors: [] };
  if (e.kind === 'unary' && e.op === '-') {
    const { number, factors } = factorsOf(e.operand);
    return { number: -number, factors };
  }
  if (e.kind !== 'binary' || e.op !== '*') return { number: 1, factors: [e] };
  const [left, right] = [factorsOf(e.left), factorsOf(e.right)];
  return { number: left.number * right.number, factors: [...left.factors, ...right.factors] };
}

/** Made of the same operations on the same things. */
export function isSame(a: Expr, b: Expr): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.type !== b.type) return false;
  switch (a.kind) {
    case 'number':
      return b.kind === 'number' && Object.is(a.value, b.value);
    case 'variable':
      return b.kind === 'variable' && a.variable === b.variable;
    case 'field':
      return b.kind === 'field' && a.role === b.role && a.field === b.field;
    case 'item':
      return (
        b.kind === 'item' && a.role === b.role && a.field === b.field && isSame(a.index, b.index)
      );
    case 'unary':
      return b.kind === 'unary' && a.op === b.op && isSame(a.operand, b.operand);
    case 'binary':
      return (
        b.kind === 'binary' && a.op === b.op && isSame(a.left, b.left) && isSame(a.right, b.right)
      );
    case 'math':
      return (
        b.kind === 'math' && a.name === b.name && a.args.every((arg, k) => isSame(arg, b.args[k]!))
      );
    default:
      return false;
  }
}

const binary = (op: '+' | '-' | '*' | '/', left: Expr, right: Expr): Expr => ({
  kind: 'binary',
  type: 'real',
  op,
  left,
  right,
});
