/**
 * Elementary functions to more than 150 bits in fixed-point BigInt arithmetic, and errors in units in the last place of doubles:
 * the reference where Math.* itself may be one ulp off.
 */
const P = 220n; // fraction bits
const ONE = 1n << P;

/** value = mantissa · 2^(exponent − P) */
export interface Big {
  readonly mantissa: bigint;
  readonly exponent: number;
}

const view = new DataView(new ArrayBuffer(8));

/** A finite double as m · 2^e, exactly. */
function decompose(x: number): { m: bigint; e: number } {
  view.setFloat64(0, x);
  const bits = view.getBigUint64(0);
  const field = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const m = field === 0 ? fraction : fraction | (1n << 52n);
  return { m: bits >> 63n ? -m : m, e: (field || 1) - 1075 };
}

const shift = (m: bigint, by: number): bigint => (by >= 0 ? m << BigInt(by) : m >> BigInt(-by));

/** A double in fixed point (bits below 2^−P are lost). */
const fixed = (x: number): bigint => {
  const { m, e } = decompose(x);
  return shift(m, e + Number(P));
};

const mul = (a: bigint, b: bigint): bigint => (a * b) >> P;

function atanhOfInverse(n: bigint): bigint {
  let sum = 0n;
  let power = ONE / n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += power / k;
    power /= n * n;
  }
  return sum;
}

function atanOfInverse(n: bigint): bigint {
  let sum = 0n;
  let power = ONE / n;
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += k % 4n === 1n ? power / k : -(power / k);
    power /= n * n;
  }
  return sum;
}

const LN2 = 2n * atanhOfInverse(3n);
const HALF_PI = 2n * (4n * atanOfInverse(5n) - atanOfInverse(239n));

/** exp of a fixed-point number of moderate size. */
export function expFixed(x: bigint): Big {
  const n = (2n * x + LN2) / (2n * LN2) - ((2n * x + LN2) % (2n * LN2) < 0n ? 1n : 0n);
  const r = (x - n * LN2) >> 12n;
  let term = ONE;
  let sum = ONE;
  for (let k = 1n; term !== 0n && term !== -1n; k++) {
    term = mul(term, r) / k;
    sum += term;
  }
  for (let k = 0; k < 12; k++) sum = mul(sum, sum);
  return { mantissa: sum, exponent: Number(n) };
}

/** log of a positive double in fixed point. */
function logFixed(x: number): bigint {
  const { m, e } = decompose(x);
  const length = m.toString(2).length;
  const mantissa = shift(m, Number(P) - length + 1); // 1 … 2
  const guess = fixed(Math.log(Number(mantissa >> (P - 60n)) / 2 ** 60));
  const inverse = expFixed(-guess);
  const d = mul(mantissa, shift(inverse.mantissa, inverse.exponent)) - ONE;
  const d2 = mul(d, d);
  return guess + d - d2 / 2n + mul(d2, d) / 3n + BigInt(e + length - 1) * LN2;
}

const big = (mantissa: bigint): Big => ({ mantissa, exponent: 0 });

export const exactExp = (x: number): Big => expFixed(fixed(x));
export const exactLog = (x: number): Big => big(logFixed(x));

export function exactPow(x: number, y: number): Big {
  const { m, e } = decompose(y);
  return expFixed(shift(logFixed(x) * m, e));
}

function sinFixed(x: bigint, quarter: bigint): bigint {
  const n =
    (2n * x + HALF_PI) / (2n * HALF_PI) - ((2n * x + HALF_PI) % (2n * HALF_PI) < 0n ? 1n : 0n);
  const r = x - n * HALF_PI;
  const quadrant = (((n + quarter) % 4n) + 4n) % 4n;
  let term = quadrant % 2n === 0n ? r : ONE;
  let sum = term;
  const square = mul(r, r);
  for (let k = quadrant % 2n === 0n ? 2n : 1n; term !== 0n && term !== -1n; k += 2n) {
    term = -mul(term, square) / (k * (k + 1n));
    sum += term;
  }
  return quadrant >= 2n ? -sum : sum;
}

export const exactSin = (x: number): Big => big(sinFixed(fixed(x), 0n));
export const exactCos = (x: number): Big => big(sinFixed(fixed(x), 1n));

export function exactTanh(x: number): Big {
  const e = expFixed(2n * fixed(x));
  const grown = shift(e.mantissa, e.exponent);
  return big(((grown - ONE) << P) / (grown + ONE));
}

/** ⌊√n⌋ by Newton's method. */
function integerRoot(n: bigint): bigint {
  if (n < 2n) return n;
  let x = 1n << BigInt((n.toString(2).length + 1) >> 1);
  for (;;) {
    const next = (x + n / x) >> 1n;
    if (next >= x) return x;
    x = next;
  }
}

const rootFixed = (x: bigint): bigint => integerRoot(x << P);
const divide = (a: bigint, b: bigint): bigint => (a << P) / b;
const PI = 2n * HALF_PI;

/** atan of a fixed-point number: halved eight times, then Taylor's series. */
function atanFixed(x: bigint): bigint {
  let q = x;
  for (let k = 0; k < 8; k++) q = divide(q, ONE + rootFixed(ONE + mul(q, q)));
  const square = mul(q, q);
  let power = q;
  let sum = 0n;
  for (let k = 1n; power !== 0n && power !== -1n; k += 2n) {
    sum += power / k;
    power = -mul(power, square);
  }
  return sum << 8n;
}

/** The angle of a point; x and y in fixed point, not both zero. */
function atan2Fixed(y: bigint, x: bigint): bigint {
  const [a, b] = [y < 0n ? -y : y, x < 0n ? -x : x];
  const steep = a > b ? HALF_PI - atanFixed(divide(b, a)) : atanFixed(divide(a, b));
  const angle = x < 0n ? PI - steep : steep;
  return y < 0n ? -angle : angle;
}

export const exactAtan = (x: number): Big => big(atan2Fixed(fixed(x), ONE));
export const exactAtan2 = (y: number, x: number): Big => big(atan2Fixed(fixed(y), fixed(x)));
const other = (x: number): bigint => rootFixed(ONE - mul(fixed(x), fixed(x)));
export const exactAsin = (x: number): Big => big(atan2Fixed(fixed(x), other(x)));
export const exactAcos = (x: number): Big => big(atan2Fixed(other(x), fixed(x)));

/** (eˣ + sign·e⁻ˣ) / 2. */
function hyperbolic(x: number, sign: 1n | -1n): Big {
  const [grown, small] = [expFixed(fixed(Math.abs(x))), expFixed(-fixed(Math.abs(x)))];
  const sum = grown.mantissa + sign * shift(small.mantissa, small.exponent - grown.exponent);
  return { mantissa: sign < 0n && x < 0 ? -sum : sum, exponent: grown.exponent - 1 };
}

export const exactSinh = (x: number): Big => hyperbolic(x, -1n);
export const exactCosh = (x: number): Big => hyperbolic(x, 1n);

const ROOT_PI = rootFixed(PI);

/** erf by its Taylor series, for |x| ≤ 5: terms cancel from e²⁵. */
function erfFixed(x: bigint): bigint {
  const square = mul(x, x);
  let term = x;
  let sum = 0n;
  for (let n = 0n; term !== 0n && term !== -1n; n++) {
    sum += term / (2n * n + 1n);
    term = -mul(term, square) / (n + 1n);
  }
  return divide(2n * sum, ROOT_PI);
}

/** erfc for x ≥ 3 by its continued fraction: e^(−x²) / √π / (x + (1/2)/(x + (2/2)/(x + (3/2)/(x + …)))). */
export function erfcByFraction(x: number): Big {
  const at = fixed(x);
  let fraction = at;
  for (let k = 500n; k > 0n; k--) fraction = at + divide((k * ONE) / 2n, fraction);
  const { mantissa, exponent } = expFixed(-mul(at, at));
  return { mantissa: divide(divide(mantissa, ROOT_PI), fraction), exponent };
}

export const erfcBySeries = (x: number): Big => big(ONE - erfFixed(fixed(x)));
export const exactErfc = (x: number): Big => (x > 4 ? erfcByFraction(x) : erfcBySeries(x));
export function exactErf(x: number): Big {
  if (Math.abs(x) <= 4) return big(erfFixed(fixed(x)));
  const { mantissa, exponent } = erfcByFraction(Math.abs(x));
  const value = ONE - shift(mantissa, exponent);
  return big(x < 0 ? -value : value);
}

/** |x − exact| in units in the last place of a double (of a float) near the exact value. */
export function ulpError(x: number, exact: Big, real: 'f64' | 'f32' = 'f64'): number {
  const magnitude = exact.mantissa < 0n ? -exact.mantissa : exact.mantissa;
  if (magnitude === 0n) return x === 0 ? 0 : Number.POSITIVE_INFINITY;
  const [digits, lowest] = real === 'f64' ? [52, -1074] : [23, -149];
  const top = magnitude.toString(2).length - 1 - Number(P) + exact.exponent;
  const ulp = Math.max(top - digits, lowest); // log2 of the unit
  // In units of 2^(ulp − 40).
  const scale = (m: bigint, e: number) => shift(m, e - ulp + 40);
  const { m, e } = decompose(x);
  const difference = scale(m, e) - scale(exact.mantissa, exact.exponent - Number(P));
  return Math.abs(Number(difference)) / 2 ** 40;
}
