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
