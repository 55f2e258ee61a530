import { noParameters, type Shape } from './Shape.js';

/**
 * (1 − x^n)/(1 − x^m) for n < m, as the quotient of geometric sums P_n/P_m, P_k = 1 + x + … + x^(k−1): nothing is singular
 * at x = 1. With k = m − n the slope is −x^(n−1) (P_k D + x P_n P_k′)/P_m², D = Σ (n − i) x^i, where every term is positive:
 * no digits cancel anywhere. Beyond x = 1 all sums are taken in 1/x, so that nothing overflows.
 */
function rationalSums(
  x: number,
  _a: number,
  _b: number,
  _c: number,
  n: number,
  m: number,
): readonly [number, number] {
  const far = x > 1;
  const y = far ? 1 / x : x;
  const k = (m - n) | 0;
  let ascending = 0; // Σ (i + 1) y^i, i < n
  let descending = 0; // Σ (n − i) y^i, i < n
  let pn = 0; // P_n
  for (let i = n; i > 0; i--) {
    ascending = ascending * y + i;
    descending = descending * y + (n + 1 - i);
    pn = pn * y + 1;
  }
  let rising = 0; // Σ i y^i, i < k
  let falling = 0; // Σ (k − 1 − i) y^i, i < k
  let pk = 0; // P_k
  for (let i = k; i > 0; i--) {
    rising = rising * y + (i - 1);
    falling = falling * y + (k - i);
    pk = pk * y + 1;
  }
  let yk = y; // y^(k+1)
  for (let i = k; i > 0; i--) yk *= y;
  let yn = 1; // y^(n−1)
  for (let i = n; i > 1; i--) yn *= y;
  const w = 1 / (pn + yn * y * pk); // 1/P_m: P_m = P_n + y^n P_k
  const ratio = pn * w;
  const lead = far ? yk : yn;
  const sum = far ? pk * ascending + pn * falling : pk * descending + pn * rising;
  return [far ? (ratio * yk) / y : ratio, -lead * sum * w * w];
}

/** The same for n > m, as 1/s of the exponents exchanged. */
function rationalInverse(
  x: number,
  _a: number,
  _b: number,
  _c: number,
  n: number,
  m: number,
): readonly [number, number] {
  let pn = 0;
  let dn = 0;
  for (let i = n; i > 0; i--) {
    dn = dn * x + pn;
    pn = pn * x + 1;
  }
  let pm = 0;
  let dm = 0;
  for (let i = m; i > 0; i--) {
    dm = dm * x + pm;
    pm = pm * x + 1;
  }
  const w = 1 / pm;
  return [pn * w, (dn * pm - pn * dm) * w * w];
}

/** 1/(1 + x^n), which is m = 2n; beyond x = 1 in 1/x, so that nothing overflows. */
function rationalDouble(
  x: number,
  _a: number,
  _b: number,
  _c: number,
  n: number,
  _m: number,
): readonly [number, number] {
  const far = x > 1;
  const y = far ? 1 / x : x;
  let power = 1; // y^(n−1)
  let square = y;
  for (let e = (n - 1) | 0; e > 0; e = e >> 1) {
    if ((e & 1) !== 0) power *= square;
    square *= square;
  }
  const u = power * y;
  const w = 1 / (1 + u);
  const slope = -n * power * w * w;
  return [far ? u * w : w, far ? slope * y * y : slope];
}

/** 1/(1 + x⁶) in x², the default; x ≤ 10⁴ keeps every power within single precision. */
function rationalSix(
  x2: number,
  _a: number,
  _b: number,
  _c: number,
  _n: number,
  _m: number,
): readonly [number, number] {
  const q = Math.min(x2, 1e8);
  const q2 = q * q;
  const s = 1 / (1 + q2 * q);
  return [s, -6 * q2 * s * s];
}

/** The rational switching function of exponents n ≠ m; `plain` says that D_0 is 0, so that x² will do. */
export function rational(n: number, m: number, plain: boolean): Shape {
  const parameters = { ...noParameters, n, m };
  if (plain && n === 6 && m === 12)
    return { name: 'rational_six', squared: true, evaluate: rationalSix, parameters };
  if (m === 2 * n)
    return { name: 'rational_double', squared: false, evaluate: rationalDouble, parameters };
  if (m < n)
    return { name: 'rational_inverse', squared: false, evaluate: rationalInverse, parameters };
  return { name: 'rational', squared: false, evaluate: rationalSums, parameters };
}
