import { products } from './products.js';

type Library = Readonly<Record<string, string>>;

/**
 * Double-single arithmetic: a real x is a vec2f (high, low), x = high + low, high the float nearest to x. Relative
 * errors are given in units of 2^-48 as bounds (Joldes, Muller, Popescu 2017); `P.one` is 1, read at run time.
 *
 * Every addition whose rounding error matters is fma(a, P.one, b): shader compilers would otherwise rearrange additions
 * and find the errors to be zero. Products need no such care, because their results only enter such additions. It is written out
 * and no function: drivers that put functions in place one by one take a third longer for a kernel with as many calls.
 *
 * The range is that of floats: beyond 3.4e38 a result is infinite or NaN; low parts below 2^-126 are flushed to zero, so that
 * numbers lose digits from 2^-78 (3e-24) down.
 */
export const arithmetic = (fused: boolean): Library => ({
  ...withoutError(fused),
  ...sums,
  ...products(fused),
  ...roots,
  ...special,
  ...comparisons,
  ...rounding,
  ...conversions,
});

/** Sums and products of floats whose rounding errors are kept. */
const withoutError = (fused: boolean): Library => ({
  // a + b without any error.
  sum: `
fn ds_sum(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  let t = fma(s, P.one, -a);
  return vec2f(s, fma(fma(a, P.one, -fma(s, P.one, -t)), P.one, fma(b, P.one, -t)));
}`,

  // The same where |a| >= |b|, or a = 0.
  fast: `
fn ds_fast(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  return vec2f(s, fma(b, P.one, -fma(s, P.one, -a)));
}`,

  // a · b without any error: with one fused operation where the device has it, otherwise from halves of 12 bits.
  product: fused
    ? `
fn ds_product(a: f32, b: f32) -> vec2f {
  let p = a * b;
  return vec2f(p, fma(a, b, -p));
}`
    : `
fn ds_product(a: f32, b: f32) -> vec2f {
  let p = a * b;
  let ah = bitcast<f32>(bitcast<u32>(a) & 0xfffff000u);
  let bh = bitcast<f32>(bitcast<u32>(b) & 0xfffff000u);
  let al = fma(a, P.one, -ah);
  let bl = fma(b, P.one, -bh);
  return vec2f(p, fma(al, bl, fma(al, bh, fma(ah, bl, fma(ah, bh, -p)))));
}`,
});

const sums: Library = {
  // 3 units, also where the sum cancels.
  add: `
fn ds_add(x: vec2f, y: vec2f) -> vec2f {
  let s = ds_sum(x.x, y.x);
  let t = ds_sum(x.y, y.y);
  let v = ds_fast(s.x, fma(s.y, P.one, t.x));
  return ds_fast(v.x, fma(t.y, P.one, v.y));
}`,

  sub: `
fn ds_sub(x: vec2f, y: vec2f) -> vec2f { return ds_add(x, -y); }`,

  // 2 units.
  add_f32: `
fn ds_add_f32(x: vec2f, y: f32) -> vec2f {
  let s = ds_sum(x.x, y);
  return ds_fast(s.x, fma(x.y, P.one, s.y));
}`,

  // 3 units of |x| + |y|. Enough for numbers of the same sign, and where x or y is itself off by as much.
  add_same: `
fn ds_add_same(x: vec2f, y: vec2f) -> vec2f {
  let s = ds_sum(x.x, y.x);
  return ds_fast(s.x, fma(s.y, P.one, fma(x.y, P.one, y.y)));
}`,

  // Adds to a sum of many terms, whose low part collects errors and may be longer than that of a real.
  gather: `
fn ds_gather(sum: vec2f, x: vec2f) -> vec2f {
  let s = ds_sum(sum.x, x.x);
  return vec2f(s.x, sum.y + (s.y + x.y));
}`,

  // Such a sum as a real.
  settled: `
fn ds_settled(sum: vec2f) -> vec2f { return ds_sum(sum.x, sum.y); }`,

  // 2 units of the larger one; needs |x| >= |y|.
  near: `
fn ds_near(x: vec2f, y: vec2f) -> vec2f {
  let s = ds_fast(x.x, y.x);
  return ds_fast(s.x, fma(s.y, P.one, fma(x.y, P.one, y.y)));
}`,
};

const roots: Library = {
  // 16 units.
  sqrt: `
fn ds_sqrt(x: vec2f) -> vec2f {
  if (x.x <= 0.0) { return vec2f(select(ds_nan(), 0.0, x.x == 0.0), 0.0); }
  let s = ds_opaque(sqrt(x.x));
  let p = ds_product(s, s);
  let rest = fma(fma(x.x, P.one, -p.x), P.one, fma(x.y, P.one, -p.y));
  return ds_fast(s, rest / (2.0 * s));
}`,

  // The remainder with the sign of x; off by 8 units of y while |x / y| < 2^24, by as much of x beyond.
  rem: `
fn ds_rem(x: vec2f, y: vec2f) -> vec2f {
  let m = ds_abs(y);
  let a = ds_abs(x);
  if (ds_less(a, m)) { return x; }
  let q = -ds_trunc(ds_div(a, m));
  var r = ds_add(ds_add(a, ds_product(q.x, m.x)), ds_product(q.x, m.y));
  r = ds_add(ds_add(r, ds_product(q.y, m.x)), ds_product(q.y, m.y));
  if (r.x < 0.0) { r = ds_add(r, m); }
  if (ds_at_most(m, r)) { r = ds_sub(r, m); }
  return select(r, -r, x.x < 0.0);
}`,
};

const special: Library = {
  // Made from bits at run time: constant expressions may be neither infinite nor NaN.
  infinity: `
fn ds_infinity() -> f32 { return bitcast<f32>(bitcast<u32>(P.one) | 0x7f800000u); }`,
  nan: `
fn ds_nan() -> f32 { return bitcast<f32>(bitcast<u32>(P.one) | 0x7fc00000u); }`,
};

const comparisons: Library = {
  less: `
fn ds_less(x: vec2f, y: vec2f) -> bool { return x.x < y.x || (x.x == y.x && x.y < y.y); }`,
  at_most: `
fn ds_at_most(x: vec2f, y: vec2f) -> bool { return x.x < y.x || (x.x == y.x && x.y <= y.y); }`,
  equal: `
fn ds_equal(x: vec2f, y: vec2f) -> bool { return x.x == y.x && x.y == y.y; }`,
  abs: `
fn ds_abs(x: vec2f) -> vec2f { return select(x, -x, x.x < 0.0); }`,
  sign: `
fn ds_sign(x: vec2f) -> vec2f { return vec2f(sign(x.x), 0.0); }`,
  min: `
fn ds_min(x: vec2f, y: vec2f) -> vec2f { return select(x, y, ds_less(y, x)); }`,
  max: `
fn ds_max(x: vec2f, y: vec2f) -> vec2f { return select(x, y, ds_less(x, y)); }`,
};

const rounding: Library = {
  floor: `
fn ds_floor(x: vec2f) -> vec2f {
  let high = floor(x.x);
  if (high != x.x) { return vec2f(high, 0.0); }
  return ds_fast(high, floor(x.y));
}`,
  ceil: `
fn ds_ceil(x: vec2f) -> vec2f { return -ds_floor(-x); }`,
  trunc: `
fn ds_trunc(x: vec2f) -> vec2f {
  if (x.x < 0.0) { return ds_ceil(x); }
  return ds_floor(x);
}`,

  // Half-way cases go up, toward infinity.
  round: `
fn ds_round(x: vec2f) -> vec2f {
  let f = ds_floor(x);
  if (ds_at_most(vec2f(0.5, 0.0), ds_sub(x, f))) { return ds_add_f32(f, 1.0); }
  return f;
}`,
};

const conversions: Library = {
  // Integers convert exactly, in halves of 16 bits.
  from_i32: `
fn ds_from_i32(n: i32) -> vec2f { return ds_sum(f32(n >> 16u) * 65536.0, f32(n & 65535i)); }`,
  from_u32: `
fn ds_from_u32(n: u32) -> vec2f { return ds_sum(f32(n >> 16u) * 65536.0, f32(n & 65535u)); }`,
  from_bool: `
fn ds_from_bool(b: bool) -> vec2f { return vec2f(select(0.0, 1.0, b), 0.0); }`,

  // Truncating, saturating; NaN gives 0. Sums wrap, so that 2^31 - 1 comes out right though its high part is 2^31.
  to_i32: `
fn ds_to_i32(x: vec2f) -> i32 {
  let t = ds_trunc(x);
  if (ds_at_most(vec2f(2147483648.0, 0.0), t)) { return 2147483647i; }
  if (ds_at_most(t, vec2f(-2147483648.0, 0.0))) { return i32(-2147483648); }
  if (!(t.x == t.x)) { return 0i; }
  if (t.x < 0.0) { return i32(t.x) + i32(t.y); }
  return bitcast<i32>(u32(t.x)) + i32(t.y);
}`,
  to_u32: `
fn ds_to_u32(x: vec2f) -> u32 {
  let t = ds_trunc(x);
  if (ds_at_most(vec2f(4294967296.0, 0.0), t)) { return 4294967295u; }
  if (!(t.x > 0.0)) { return 0u; }
  if (t.x == 4294967296.0) { return 0u - u32(-t.y); }
  return u32(t.x) + bitcast<u32>(i32(t.y));
}`,

  // x · 2^k, in two steps so that the factors are floats; k from -250 to 254.
  scale: `
fn ds_scale(x: vec2f, k: i32) -> vec2f {
  let half = k >> 1u;
  return x * bitcast<f32>(u32(half + 127) << 23u) * bitcast<f32>(u32(k - half + 127) << 23u);
}`,
};
