import { noParameters, type Shape } from './Shape.js';

/** 1/(1 + e^(a x + b)). */
function evaluate(
  x: number,
  a: number,
  b: number,
  _c: number,
  _n: number,
  _m: number,
): readonly [number, number] {
  const t = a * x + b;
  const e = Math.exp(t < 0 ? t : -t); // cannot overflow
  const w = 1 / (1 + e);
  return [t < 0 ? w : e * w, -a * e * w * w];
}

/** 1/(1 + e^(β (r − λ r_ref))) of Best, Hummer and Eaton: a is β R_0, b is β (D_0 − λ r_ref). */
export function nativeContacts(options: {
  readonly beta: number;
  readonly lambda: number;
  readonly ref: number;
  readonly r0: number;
  readonly d0: number;
}): Shape {
  const { beta, lambda, ref, r0, d0 } = options;
  const parameters = { ...noParameters, a: beta * r0, b: beta * (d0 - lambda * ref) };
  return { name: 'q', squared: false, evaluate, parameters };
}
