import { singleLiteral } from '../singleLiteral.js';
import { doubleLiteral } from './splitDouble.js';

/** ln 2 = 355/512 + LN2_REST: multiples of the first part are exact floats. */
const LN2_HEAD = 355 / 512;
const LN2_REST = -2.1219444005469057e-4;

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1));

/**
 * Statements that evaluate a polynomial by Horner's rule into `p`: coefficients k … last in floats, whose share is below
 * 2^-24, the ones before in double-single. `x` and `X` are the argument as vec2f and as float.
 */
function horner(coefficients: readonly number[], inDouble: number, x: string): string {
  const single = coefficients.slice(inDouble);
  const lines = [`  var t = ${singleLiteral(single.at(-1)!)};`];
  for (const c of single.slice(0, -1).reverse())
    lines.push(`  t = fma(t, ${x}.x, ${singleLiteral(c)});`);
  const last = doubleLiteral(coefficients[inDouble - 1]!);
  lines.push(`  var p = ds_near(${last}, ds_mul_f32(${x}, t));`);
  for (const c of coefficients.slice(0, inDouble - 1).reverse())
    lines.push(`  p = ds_near(${doubleLiteral(c)}, ds_mul(p, ${x}));`);
  return lines.join('\n');
}

const EXP = Array.from({ length: 11 }, (_, k) => 1 / factorial(k + 2)); // r²/2! … r¹²/12!
const LOG = Array.from({ length: 9 }, (_, k) => 1 / (2 * k + 3)); // z/3 … z⁹/19
const SIN = Array.from({ length: 8 }, (_, k) => (-1) ** (k + 1) / factorial(2 * k + 3));
const COS = Array.from({ length: 9 }, (_, k) => (-1) ** (k + 1) / factorial(2 * k + 2));

/** Floats whose sum is π/2 to 72 bits. */
const HALF_PI = [1.5707963705062866, -4.371138828673793e-8, -1.7151245100058819e-15] as const;

/** Elementary functions in double-single; bounds in units of 2^-48 of the result, tested against exact values. */
export const elementary: Readonly<Record<string, string>> = {
  // exp(r) - 1 for |r| < 0.36: 12 units.
  small_exp: `
fn ds_small_exp(r: vec2f) -> vec2f {
${horner(EXP, 6, 'r')}
  return ds_near(r, ds_mul(ds_mul(r, r), p));
}`,

  // 16 units. Beyond 88.72 infinite, below -103 zero; results below 2^-78 lose digits.
  exp: `
fn ds_exp(x: vec2f) -> vec2f {
  if (x.x > 88.73) { return vec2f(ds_infinity(), 0.0); }
  if (x.x < -104.0) { return vec2f(0.0, 0.0); }
  let k = round(x.x * 1.44269504f);
  let head = ds_add_f32(x, -k * ${singleLiteral(LN2_HEAD)});
  let r = ds_sub(head, ds_mul_f32(${doubleLiteral(LN2_REST)}, k));
  return ds_scale(ds_near(vec2f(1.0, 0.0), ds_small_exp(r)), i32(k));
}`,

  // 32 units: x = m · 2^e, log m = 2 artanh((m - 1) / (m + 1)).
  log: `
fn ds_log(x: vec2f) -> vec2f {
  if (x.x <= 0.0) { return vec2f(select(ds_nan(), -ds_infinity(), x.x == 0.0), 0.0); }
  var e = i32(bitcast<u32>(x.x) >> 23u) - 127;
  var m = ds_scale(x, -e);
  if (m.x > 1.41421354f) { m *= 0.5; e++; }
  let s = ds_div(ds_add_f32(m, -1.0), ds_add_f32(m, 1.0));
  let z = ds_mul(s, s);
${horner(LOG, 4, 'z')}
  let value = 2.0 * ds_near(s, ds_mul(ds_mul(s, z), p));
  let k = f32(e);
  let tail = ds_add(value, ds_mul_f32(${doubleLiteral(LN2_REST)}, k));
  return ds_add_f32(tail, k * ${singleLiteral(LN2_HEAD)});
}`,

  // 32 + 32 |y log x| units. A negative base with a whole exponent has a real answer.
  pow: `
fn ds_pow(x: vec2f, y: vec2f) -> vec2f {
  if (y.x == 0.0) { return vec2f(1.0, 0.0); }
  if (x.x == 0.0) { return vec2f(select(ds_infinity(), 0.0, y.x > 0.0), 0.0); }
  let m = ds_exp(ds_mul(y, ds_log(ds_abs(x))));
  if (x.x > 0.0) { return m; }
  if (!ds_equal(ds_floor(y), y)) { return vec2f(ds_nan(), 0.0); }
  let half = 0.5 * y;
  return select(-m, m, ds_equal(ds_floor(half), half));
}`,

  // Near zero from exp - 1, which does not cancel; 64 units.
  tanh: `
fn ds_tanh(x: vec2f) -> vec2f {
  let a = ds_abs(x);
  var y = vec2f(1.0, 0.0);
  if (a.x < 0.17) {
    let e = ds_small_exp(2.0 * a);
    y = ds_div(e, ds_add_f32(e, 2.0));
  } else if (a.x < 20.0) {
    let e = ds_add_f32(ds_exp(2.0 * a), 1.0);
    y = ds_sub(y, ds_div(vec2f(2.0, 0.0), e));
  }
  return select(y, -y, x.x < 0.0);
}`,

  // sin and cos are off by 16 units of 1 at most, everywhere; near their zeros by 16 of the result while |x| < 100.
  sin: `
fn ds_sin(x: vec2f) -> vec2f { return ds_turn(x, 0); }`,
  cos: `
fn ds_cos(x: vec2f) -> vec2f { return ds_turn(x, 1); }`,

  turn: `
fn ds_turn(x: vec2f, turns: i32) -> vec2f {
  if (!(abs(x.x) <= 3.4028234e38f)) { return vec2f(ds_nan(), 0.0); }
  var n: i32;
  var r: vec2f;
  if (abs(x.x) < 1e6f) {
    let q = -round(x.x * 0.636619772f);
    n = -i32(q);
    r = ds_add(x, ds_product(q, ${singleLiteral(HALF_PI[0])}));
    r = ds_add(r, ds_product(q, ${singleLiteral(HALF_PI[1])}));
    r = ds_add(r, ds_product(q, ${singleLiteral(HALF_PI[2])}));
  } else {
    let angle = ds_whole_angle(x);
    n = i32((angle.x + 0x20000000u) >> 30u);
    r = ds_from_i32(bitcast<i32>(angle.x - (u32(n) << 30u)));
    r = ds_add(ds_scale(r, -30), ds_scale(ds_from_u32(angle.y), -62));
    r = ds_add(r, ds_scale(ds_from_u32(angle.z), -94));
    r = ds_mul(r, ${doubleLiteral(Math.PI / 2)});
  }
  n += turns;
  let z = ds_mul(r, r);
  var y: vec2f;
  if ((n & 1) != 0) { y = ds_small_cos(z); } else { y = ds_small_sin(r, z); }
  return select(y, -y, (n & 2) != 0);
}`,

  small_sin: `
fn ds_small_sin(r: vec2f, z: vec2f) -> vec2f {
${horner(SIN, 5, 'z')}
  return ds_near(r, ds_mul(ds_mul(r, z), p));
}`,

  small_cos: `
fn ds_small_cos(z: vec2f) -> vec2f {
${horner(COS, 5, 'z')}
  return ds_near(vec2f(1.0, 0.0), ds_mul(z, p));
}`,
};
