import type { Library } from './Library.js';

/**
 * The angle 0 … π of the point (±bottom, top), top and bottom ≥ 0; `behind` for −bottom.
 *
 * Of the two lengths the smaller is divided by the larger; from 1/2 on the angle is taken from π/4, by
 * atan(q) = π/4 + atan((q − 1) / (q + 1)), where the difference is exact. The polynomial is of degree 13 in t², |t| ≤ 1/2, off by
 * 0.002 ulp. The multiple of π/4 is exact in doubles and is added once, with what is lost of it.
 */
export function arctangent(top: number, bottom: number, behind: boolean): number {
  const scale = Math.max(top, bottom) > 1e37 ? 0.0009765625 : 1; // their sum must not overflow
  const small = Math.min(top, bottom) * scale;
  const large = Math.max(top, bottom) * scale;
  const turned = small > 0 && small >= 0.5 * large;
  const numerator = turned ? (small === large ? 0 : small - large) : small;
  const denominator = turned ? small + large : large > 0 ? large : 1;
  const t = numerator / denominator;
  const z = t * t;
  let p = 0.007656295362176976;
  p = p * z - 0.021682234961125823;
  p = p * z + 0.03398634344047341;
  p = p * z - 0.041833386159884724;
  p = p * z + 0.04729953834332562;
  p = p * z - 0.05258718904277028;
  p = p * z + 0.05881913328517996;
  p = p * z - 0.06666636087824868;
  p = p * z + 0.07692306240562284;
  p = p * z - 0.0909090904607358;
  p = p * z + 0.11111111110278944;
  p = p * z - 0.14285714285706202;
  p = p * z + 0.19999999999999968;
  p = p * z - 0.3333333333333333;
  const angle = t + t * z * p;
  const steep = top > bottom;
  const near = turned ? 1 : steep ? 2 : 0;
  const eighths = behind ? 4 - near : near;
  const signed = steep === behind ? angle : -angle;
  return eighths * 0.7853981633974483 + (signed + eighths * 3.061616997868383e-17);
}

/** Math.atan. */
export function atan(x: number, h: Library): number {
  return Math.sign(x) * h.arctangent(Math.abs(x), 1, false);
}

/** Math.atan2; 1 / −0 tells the zeros apart. */
export function atan2(y: number, x: number, h: Library): number {
  const behind = x < 0 || (x === 0 && 1 / x < 0);
  const below = y < 0 || (y === 0 && 1 / y < 0);
  const angle = h.arctangent(Math.abs(y), Math.abs(x), behind);
  return below ? -angle : angle;
}

/** P in asin(s) = s + s³·P(s²) for z = s² up to 1/4: a polynomial of degree 12, off by 0.03 ulp. */
export function arcsineSeries(z: number): number {
  let p = 0.028757851367421566;
  p = p * z - 0.014851887071247204;
  p = p * z + 0.01740087944269402;
  p = p * z + 0.005457506718640358;
  p = p * z + 0.01032281435018578;
  p = p * z + 0.011479177415184906;
  p = p * z + 0.013971212973552933;
  p = p * z + 0.017352392720869973;
  p = p * z + 0.02237217294214989;
  p = p * z + 0.030381944138531247;
  p = p * z + 0.04464285714635543;
  p = p * z + 0.07499999999998433;
  p = p * z + 0.16666666666666669;
  return p;
}

/** Math.asin: s + s³·P(s²) with s = |x| up to 1/2, and π/2 − 2·(…) with s² = (1 − |x|) / 2 above. */
export function asin(x: number, h: Library): number {
  const a = Math.abs(x);
  const large = a > 0.5;
  const z = large ? 0.5 - 0.5 * a : a * a;
  const s = large ? Math.sqrt(z) : a;
  const rest = s * z * h.arcsineSeries(z);
  const result = large ? 1.5707963267948966 - 2 * s - (2 * rest - 6.123233995736766e-17) : s + rest;
  return Math.sign(x) * result;
}

/** Math.acos, with the polynomial of asin: no digits are lost near 1, where it is 2·asin(√((1 − x) / 2)). */
export function acos(x: number, h: Library): number {
  const a = Math.abs(x);
  const large = a > 0.5;
  const z = large ? 0.5 - 0.5 * a : a * a;
  const s = large ? 2 * Math.sqrt(z) : x;
  const rest = s * z * h.arcsineSeries(z);
  const eighths = large ? 4 : 2;
  const turned = eighths * 0.7853981633974483 - s - (rest - eighths * 3.061616997868383e-17);
  return large && x > 0 ? s + rest : turned;
}
