import type { ArithmeticOp, Expr, MathName } from '../../../ir.js';
import { isUniform } from '../../../passes/hoistUniform.js';
import { singleLiteral } from '../singleLiteral.js';

type Binary = Extract<Expr, { kind: 'binary' }>;
type TextOf = (e: Expr) => string;

const OPERATIONS: Readonly<Record<Exclude<ArithmeticOp, '*'>, string>> = {
  '+': 'ds_add',
  '-': 'ds_sub',
  '/': 'ds_div',
  '%': 'ds_rem',
};

/** Functions whose result is rounded to a few units. */
const ROUNDED: ReadonlySet<MathName> = new Set([
  'sqrt',
  'pow',
  'exp',
  'log',
  'sin',
  'cos',
  'tanh',
  'hypot',
]);

/**
 * An operation on two reals in double-single. A sum with a term that is itself rounded to some units, a product or a root, need
 * not be exact where it cancels: what it loses is as much as that term has lost already. So it costs half of one that is.
 */
export function doubleBinary(e: Binary, text: TextOf): string {
  const sum = e.op === '+' || e.op === '-' ? roundedSum(e, text) : null;
  if (sum !== null) return sum;
  if (e.op === '*') return productText(e, text);
  const right = text(e.right);
  if (e.op === '/' && e.left.kind === 'number' && e.left.value === 1) return `ds_inverse(${right})`;
  return `${OPERATIONS[e.op]}(${text(e.left)}, ${right})`;
}

/** A statement that adds to a sum of many terms (`WgslEnv.gathered`). */
export function gatherText(target: string, op: '+=' | '-=', value: Expr, text: TextOf): string {
  const product = productOf(value, op === '-=');
  if (product) {
    const [x, y] = product.map((factor) => signed(factor, text));
    return `${target} = ds_gather_product(${target}, ${x}, ${y});`;
  }
  return `${target} = ds_gather(${target}, ${op === '-=' ? '-' : ''}${text(value)});`;
}

/** A factor of a product, and whether it is to be negated. */
interface Factor {
  readonly e: Expr;
  readonly negated: boolean;
}

const signed = ({ e, negated }: Factor, text: TextOf): string =>
  negated ? `-${text(e)}` : text(e);

/** The factors of a product that is rounded; null for other expressions. */
function productOf(e: Expr, negated: boolean): [Factor, Factor] | null {
  if (e.kind === 'unary' && e.op === '-') return productOf(e.operand, !negated);
  if (e.kind !== 'binary' || e.op !== '*' || isExact(e)) return null;
  return [
    { e: e.left, negated },
    { e: e.right, negated: false },
  ];
}

/** A sum of which one term is rounded. A product that is the same for all particles is better computed before. */
function roundedSum(e: Binary, text: TextOf): string | null {
  const minus = e.op === '-';
  const right = productOf(e.right, minus);
  const left = productOf(e.left, false);
  if (right && (!left || !isUniform(e.right)))
    return mulAdd({ e: e.left, negated: false }, right, text);
  if (left) return mulAdd({ e: e.right, negated: minus }, left, text);
  if (!isRounded(e.left) && !isRounded(e.right)) return null;
  return `ds_add_same(${text(e.left)}, ${minus ? '-' : ''}${text(e.right)})`;
}

const mulAdd = (a: Factor, factors: readonly [Factor, Factor], text: TextOf): string =>
  `ds_mul_add(${[a, ...factors].map((factor) => signed(factor, text)).join(', ')})`;

function isRounded(e: Expr): boolean {
  if (e.kind === 'unary') return isRounded(e.operand);
  if (e.kind === 'binary') return e.op === '/' || (e.op === '*' && !isExact(e));
  return e.kind === 'math' && ROUNDED.has(e.name);
}

/** A product. With a constant that is a float it is cheaper, and exact by a power of two. */
function productText(e: Binary, text: TextOf): string {
  const [factor, other] = e.left.kind === 'number' ? [e.left, e.right] : [e.right, e.left];
  if (factor.kind === 'number' && Math.fround(factor.value) === factor.value) {
    const value = singleLiteral(factor.value);
    return isExact(e) ? `(${value} * ${text(other)})` : `ds_mul_f32(${text(other)}, ${value})`;
  }
  return `ds_${multiplied(e, (factor) => looseText(factor, text))}`;
}

/** A call without its `ds_`. */
function multiplied(e: Binary, text: TextOf): string {
  const [left, right] = [text(e.left), text(e.right)];
  return left === right && /^[\w.]+$/.test(left) ? `square(${left})` : `mul(${left}, ${right})`;
}

/**
 * A factor of a product. One that is a product or a sum with one, and used nowhere else, may have a low part that overlaps the
 * high one by some bits.
 */
function looseText(e: Expr, text: TextOf): string {
  if (e.kind !== 'binary' || isUniform(e)) return text(e);
  if (e.op === '*' && !isScaled(e)) return `ds_loose_${multiplied(e, text)}`;
  if (e.op !== '+' && e.op !== '-') return text(e);
  const sum = roundedSum(e, text);
  return sum?.startsWith('ds_mul_add') ? sum.replace('ds_mul_add', 'ds_gather_product') : text(e);
}

/** Whether a product is one with a constant that is a float. */
const isScaled = ({ left, right }: Binary): boolean =>
  [left, right].some((e) => e.kind === 'number' && Math.fround(e.value) === e.value);

/** Whether a product is one with a power of two. */
const isExact = ({ left, right }: Binary): boolean =>
  [left, right].some((e) => e.kind === 'number' && isPowerOfTwo(Math.abs(e.value)));

const isPowerOfTwo = (value: number): boolean =>
  value >= 2 ** -60 && value <= 2 ** 60 && Number.isInteger(Math.log2(value));
