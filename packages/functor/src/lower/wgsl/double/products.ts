type Library = Readonly<Record<string, string>>;

/**
 * Products and quotients in double-single, and sums with a product. Where fma rounds once it gives the error of a product by
 * one operation; elsewhere products are made from halves.
 *
 * Low parts are added plainly: what is lost there is 2^-24 of them.
 */
export const products = (fused: boolean): Library => ({
  // 6 units (Joldes, Muller, Popescu 2017, algorithm 12, without its first term).
  mul: `
fn ds_mul(x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  return ds_fast(p.x, fma(x.x, y.y, fma(x.y, y.x, p.y)));
}`,

  // 4 units.
  square: `
fn ds_square(x: vec2f) -> vec2f {
  let p = ds_product(x.x, x.x);
  return ds_fast(p.x, fma(x.x + x.x, x.y, p.y));
}`,

  // Products as factors of others: 6 units, a low part of up to 2^-22 of the high one.
  loose_mul: `
fn ds_loose_mul(x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  return vec2f(p.x, fma(x.x, y.y, fma(x.y, y.x, p.y)));
}`,
  loose_square: `
fn ds_loose_square(x: vec2f) -> vec2f {
  let p = ds_product(x.x, x.x);
  return vec2f(p.x, fma(x.x + x.x, x.y, p.y));
}`,

  // 2 units.
  mul_f32: `
fn ds_mul_f32(x: vec2f, y: f32) -> vec2f {
  let p = ds_product(x.x, y);
  return ds_fast(p.x, fma(x.y, y, p.y));
}`,

  // a + x · y: 8 units of |a| + |x · y|.
  mul_add: `
fn ds_mul_add(a: vec2f, x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  let s = ds_sum(a.x, p.x);
  return ds_fast(s.x, s.y + fma(x.x, y.y, fma(x.y, y.x, p.y + a.y)));
}`,

  // The same for sums of many terms (ds_gather).
  gather_product: `
fn ds_gather_product(sum: vec2f, x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  let s = ds_sum(sum.x, p.x);
  return vec2f(s.x, s.y + fma(x.x, y.y, fma(x.y, y.x, p.y + sum.y)));
}`,

  // A float that the compiler knows nothing of: it would otherwise take x / y · y or the square of a root for x itself. Compilers
  // of some graphics cards do, those of software adapters do not: there the same bits come out without it.
  opaque: `
fn ds_opaque(a: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(a) ^ (bitcast<u32>(P.one) ^ 0x3f800000u));
}`,
  ...(fused ? withFusedProducts : withoutFusedProducts),
});

const withFusedProducts: Library = {
  // x² + y² + z²: 28 units. With R the nearest float, R + x² + y² is rounded twice; a, b and R - a - b are what each
  // square is taken for. All three are multiples of the last place of R and not larger than about R: they are floats. What squares
  // have beyond them is added to the low part.
  length2: `
fn ds_length2(x: vec2f, y: vec2f, z: vec2f) -> vec2f {
  let two = P.one + P.one;
  let r = fma(z.x, z.x, fma(y.x, y.x, x.x * x.x));
  let s = fma(x.x, x.x, r);
  let t = fma(y.x, y.x, s);
  let a = fma(s, P.one, -r);
  let b = fma(t, P.one, -s);
  let c = fma(r, two, -t);
  let rest = fma(x.x, x.x, -a) + fma(y.x, y.x, -b) + fma(z.x, z.x, -c);
  let twice = fma(z.x, z.y, fma(y.x, y.y, x.x * x.y));
  return ds_fast(r, fma(twice, two, rest));
}`,

  // 16 units: a float's quotient within 2.5 ulp, corrected once.
  div: `
fn ds_div(x: vec2f, y: vec2f) -> vec2f {
  let q = ds_opaque(x.x / y.x);
  let rest = fma(-q, y.y, fma(-q, y.x, x.x) + x.y);
  return ds_fast(q, rest / y.x);
}`,

  // 1 / y, 16 units: q is off by e of itself, 1 / y = q · (1 + e + e² + …).
  inverse: `
fn ds_inverse(y: vec2f) -> vec2f {
  let q = ds_opaque(1.0 / y.x);
  let e = fma(-q, y.y, fma(-q, y.x, 1.0));
  return ds_fast(q, q * fma(e, e, e));
}`,
};

/** The same bounds. */
const withoutFusedProducts: Library = {
  length2: `
fn ds_length2(x: vec2f, y: vec2f, z: vec2f) -> vec2f {
  return ds_add_same(ds_add_same(ds_square(x), ds_square(y)), ds_square(z));
}`,
  div: `
fn ds_div(x: vec2f, y: vec2f) -> vec2f {
  let q = ds_opaque(x.x / y.x);
  let r = ds_mul_f32(y, q);
  let rest = fma(fma(x.x, P.one, -r.x), P.one, fma(x.y, P.one, -r.y));
  return ds_fast(q, rest / y.x);
}`,
  inverse: `
fn ds_inverse(y: vec2f) -> vec2f { return ds_div(vec2f(1.0, 0.0), y); }`,
};
