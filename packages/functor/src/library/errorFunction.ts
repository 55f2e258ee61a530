import type { Library } from './Library.js';

/**
 * erfc(a) for a ≥ 0, as exp(−a²) · P(t) / (1 + 2a) with t = (a − 4) / (a + 4) (the mapping of Shepherd and Laframboise,
 * Math. Comp. 36, 249 (1981)). P is the Chebyshev interpolation of degree 23 on 0 ≤ a ≤ 28, off by 0.02 ulp.
 *
 * The square needs twice the digits: `near` is a multiple of 1/64, whose square is exact even in single precision, and what is
 * lost of the sum is made good to first order.
 */
export function errorTail(a: number): number {
  const b = Math.min(a, 28);
  const t = (b - 4) / (b + 4);
  let p = 1.263782858042137e-9;
  p = p * t + 1.868487385473519e-9;
  p = p * t - 1.4091982822555755e-8;
  p = p * t - 1.799947545903142e-8;
  p = p * t + 1.1005996198640057e-7;
  p = p * t + 7.471952780500971e-8;
  p = p * t - 8.254699744871162e-7;
  p = p * t + 2.9377854943443786e-7;
  p = p * t + 5.709784760966506e-6;
  p = p * t - 1.1222046316669005e-5;
  p = p * t - 2.439924428312988e-5;
  p = p * t + 0.00015062169704678355;
  p = p * t - 0.00019925668432389153;
  p = p * t - 0.0007577732973669146;
  p = p * t + 0.005031969975753176;
  p = p * t - 0.01619773405599449;
  p = p * t + 0.03716751553777026;
  p = p * t - 0.0663303658124095;
  p = p * t + 0.09373283499833023;
  p = p * t - 0.10103906603629459;
  p = p * t + 0.06809705425469323;
  p = p * t + 0.015379652102619558;
  p = p * t - 0.13962111684056253;
  p = p * t + 1.2329951186255526;
  const near = Math.floor(b * 64 + 0.5) * 0.015625;
  const rest = (b - near) * (b + near);
  const square = near * near + rest;
  const lost = rest - (square - near * near);
  const e = Math.exp(-square);
  return ((e - e * lost) * p) / (1 + 2 * b);
}

/** erf(x): x·P(x²) below 0.8 (degree 11, off by 0.001 ulp), ±(1 − erfc(|x|)) above. */
export function erf(x: number, h: Library): number {
  const a = Math.abs(x);
  const z = x * x;
  let p = -9.132565238662622e-10;
  p = p * z + 1.4296025854558612e-8;
  p = p * z - 1.6317039168917707e-7;
  p = p * z + 1.6459127254791452e-6;
  p = p * z - 1.4925528947073052e-5;
  p = p * z + 0.00012055329679621821;
  p = p * z - 0.0008548326964213566;
  p = p * z + 0.005223977624767655;
  p = p * z - 0.02686617064508589;
  p = p * z + 0.11283791670954968;
  p = p * z - 0.3761263890318375;
  p = p * z + 1.1283791670955126;
  return a < 0.8 ? x * p : Math.sign(x) * (1 - h.errorTail(a));
}

/** erfc(x) = 1 − erf(x), without the loss of digits for large x. */
export function erfc(x: number, h: Library): number {
  const tail = h.errorTail(Math.abs(x));
  return x < 0 ? 2 - tail : tail;
}
