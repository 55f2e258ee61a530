import { noParameters, type Shape } from './Shape.js';

/** b is the exponent −b/a, c the factor 2^(a/b) − 1, n is a, m is b. */
function evaluate(
  x: number,
  _a: number,
  exponent: number,
  factor: number,
  n: number,
  m: number,
): readonly [number, number] {
  let power = 1; // x^(a−1)
  let square = x;
  for (let e = (n - 1) | 0; e > 0; e = e >> 1) {
    if ((e & 1) !== 0) power *= square;
    square *= square;
  }
  const u = 1 + factor * power * x;
  const s = u ** exponent;
  return [s, (-m * factor * power * s) / u];
}

/** [1 + (2^(a/b) − 1) x^a]^(−b/a). */
export function smap(a: number, b: number): Shape {
  const parameters = { ...noParameters, b: -b / a, c: 2 ** (a / b) - 1, n: a, m: b };
  return { name: 'smap', squared: false, evaluate, parameters };
}
