/**
 * Math.sinh: x + x³·P(x²) below 1 (degree 6, off by 0.003 ulp), (eᵃ − e⁻ᵃ) / 2 above. From 80 on e⁻ᵃ is nothing, and the
 * square of e^(a/2) is halved before it could overflow.
 */
export function sinh(x: number): number {
  const a = Math.abs(x);
  const z = x * x;
  let p = 7.746178593018827e-13;
  p = p * z + 1.6057679623801638e-10;
  p = p * z + 2.5052117695907823e-8;
  p = p * z + 2.7557319191381816e-6;
  p = p * z + 0.00019841269841324198;
  p = p * z + 0.008333333333333299;
  p = p * z + 0.16666666666666666;
  const huge = a > 80;
  const e = Math.exp(huge ? 0.5 * a : a);
  const large = Math.sign(x) * (huge ? 0.5 * e * e : 0.5 * e - 0.5 / e);
  return a < 1 ? x + x * z * p : large;
}

/** Math.cosh: (eᵃ + e⁻ᵃ) / 2; from 80 on as in sinh. */
export function cosh(x: number): number {
  const a = Math.abs(x);
  const huge = a > 80;
  const e = Math.exp(huge ? 0.5 * a : a);
  return huge ? 0.5 * e * e : 0.5 * e + 0.5 / e;
}
