// attract
//
// Calls pair functor 'attract' for every neighbor within the cutoff; 32 threads share a particle.
// Reals are pairs of floats (high, low).
//   list      four entries of the particle's list at a time
//   meet      displacement to the nearest image, cutoff, functor
//   combine   what the threads of a particle have found is added up
//   store     sums are added to the rows of the particle

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  center: vec4f, // center of the first cell
  edgeALow: vec4f,
  edgeBLow: vec4f,
  edgeCLow: vec4f,
  centerLow: vec4f,
  headA: vec4f, // edges of a cell in three floats, the first ones multiples of a grain
  headB: vec4f,
  headC: vec4f,
  tailA: vec4f,
  tailB: vec4f,
  tailC: vec4f,
  restA: vec4f,
  restB: vec4f,
  restC: vec4f,
  grain: vec4f, // what high parts of positions are whole multiples of
  perGrain: vec4f, // 1 / grain, a power of two
  p_epsilon: vec2f, // p.epsilon
  p_sigma2: vec2f, // p.sigma2
  rcut2: vec2f, // square of the cutoff
  near2: f32, // square of the radius of the coarse test
  first: u32, // rows of this dispatch: first … end − 1
  end: u32,
  firstGroup: u32, // number of the first workgroup
  stride: u32, // entry k of a row is entries[k · stride + row]
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(5) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_position: array<vec4u>; // rx ry rz, relative to the cell; packed cell
@group(0) @binding(1) var<storage, read> b_position_2e_low: array<vec4f>; // what floats leave out of positions
@group(0) @binding(2) var<storage, read_write> b_force: array<mat2x4f>; // fx fy fz ep
@group(0) @binding(3) var<storage, read> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(4) var<storage, read> entries: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)

fn ds_mul_f32(x: vec2f, y: f32) -> vec2f {
  let p = ds_product(x.x, y);
  return ds_fast(p.x, fma(x.y, y, p.y));
}
fn ds_product(a: f32, b: f32) -> vec2f {
  let p = a * b;
  return vec2f(p, fma(a, b, -p));
}
fn ds_fast(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  return vec2f(s, fma(b, P.one, -fma(s, P.one, -a)));
}
fn ds_inverse(y: vec2f) -> vec2f {
  let q = ds_opaque(1.0 / y.x);
  let e = fma(-q, y.y, fma(-q, y.x, 1.0));
  return ds_fast(q, q * fma(e, e, e));
}
fn ds_opaque(a: f32) -> f32 {
  return bitcast<f32>(bitcast<u32>(a) ^ (bitcast<u32>(P.one) ^ 0x3f800000u));
}
fn ds_mul(x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  return ds_fast(p.x, fma(x.x, y.y, fma(x.y, y.x, p.y)));
}
fn ds_loose_square(x: vec2f) -> vec2f {
  let p = ds_product(x.x, x.x);
  return vec2f(p.x, fma(x.x + x.x, x.y, p.y));
}
fn ds_loose_mul(x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  return vec2f(p.x, fma(x.x, y.y, fma(x.y, y.x, p.y)));
}
fn ds_sub(x: vec2f, y: vec2f) -> vec2f { return ds_add(x, -y); }
fn ds_add(x: vec2f, y: vec2f) -> vec2f {
  let s = ds_sum(x.x, y.x);
  let t = ds_sum(x.y, y.y);
  let v = ds_fast(s.x, fma(s.y, P.one, t.x));
  return ds_fast(v.x, fma(t.y, P.one, v.y));
}
fn ds_sum(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  let t = fma(s, P.one, -a);
  return vec2f(s, fma(fma(a, P.one, -fma(s, P.one, -t)), P.one, fma(b, P.one, -t)));
}
fn ds_gather_product(sum: vec2f, x: vec2f, y: vec2f) -> vec2f {
  let p = ds_product(x.x, y.x);
  let s = ds_sum(sum.x, p.x);
  return vec2f(s.x, s.y + fma(x.x, y.y, fma(x.y, y.x, p.y + sum.y)));
}
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
}
fn ds_less(x: vec2f, y: vec2f) -> bool { return x.x < y.x || (x.x == y.x && x.y < y.y); }
fn ds_settled(sum: vec2f) -> vec2f { return ds_sum(sum.x, sum.y); }
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Vector that spans so many cells.
fn cellVectorOf(c: vec3f) -> vec3f {
  return c * vec3f(P.edgeA.x, P.edgeB.y, P.edgeC.z);
}

// Pair functor attract: fields of the particle i, fields of the neighbor j.
struct functor_attract_i { fx_: vec2f, fy_: vec2f, fz_: vec2f }
struct functor_attract_j { pad_: u32 }

var<private> functor_attract_u0_: vec2f;
fn functor_attract_before() {
  functor_attract_u0_ = ds_mul_f32(P.p_epsilon, 24.0f);
}
fn functor_attract(i: ptr<function, functor_attract_i>, j: functor_attract_j, d: mat2x4f) {
  var inverse_0: vec2f = ds_inverse(vec2f(d[0].w, d[1].w));
  var s2_1: vec2f = ds_mul(P.p_sigma2, inverse_0);
  var s6_2: vec2f = ds_mul(ds_loose_square(s2_1), s2_1);
  var f_3: vec2f = ds_mul(ds_loose_mul(ds_mul(functor_attract_u0_, s6_2), ds_sub((2.0f * s6_2), vec2f(1.0f, 0.0f))), inverse_0);
  (*i).fx_ = ds_gather_product((*i).fx_, f_3, vec2f(d[0].x, d[1].x));
  (*i).fy_ = ds_gather_product((*i).fy_, f_3, vec2f(d[0].y, d[1].y));
  (*i).fz_ = ds_gather_product((*i).fz_, f_3, vec2f(d[0].z, d[1].z));
}

// Row of a list entry.
fn rowOf(e: u32) -> u32 { return e & 67108863u; }
// Cells as whole numbers in the mantissa, the second one 1024 times too large: no shift, no conversion. Differences are
// exact.
fn cellParts(w: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(w & 1023u, w & 0xffc00u, w >> 20u) | vec3u(0x4b000000u));
}
// Vector from q to xi, so many cells apart.
fn between(xi: vec3f, q: vec4u, cells: vec3f) -> vec3f {
  return xi - relative(q) + cellVectorOf(cells * vec3f(1.0, 0.0009765625, 1.0));
}

// Image of a list entry, as cells in the mantissa. No shift and no conversion for an axis: whole numbers, four and sixteen times too large
// along the second and the third.
fn imageParts(e: u32, apart: vec3f) -> vec3f {
  let code = (e >> 26u) ^ 21u;
  let biased = bitcast<vec3f>((vec3u(code) & vec3u(3u, 12u, 48u)) | vec3u(0x4b000000u));
  return (biased - vec3f(8388609.0, 8388612.0, 8388624.0)) * (vec3f(P.dims.xyz) * vec3f(1.0, 256.0, 0.0625));
}

// The position of the particle: whole grains, and what is left.
var<private> own_high: vec3f;
var<private> own_low: vec3f;
fn holdOwn(xi: vec3f, low: vec3f) {
  own_high = round(xi * P.perGrain.xyz) * P.grain.xyz;
  own_low = fma(xi, vec3f(P.one), -own_high) + low;
}
// p − b + rest, where p is whole grains.
fn apart(p: f32, b: f32, rest: f32) -> vec2f {
  let s = fma(p, P.one, -b);
  let e = fma(-b, P.one, -fma(s, P.one, -p));
  return ds_fast(s, rest + e);
}
fn difference(q: vec4u, low: vec4f, c: vec3f) -> mat2x4f {
  let xj = relative(q);
  let x = apart(fma(c.x, P.headA.x, own_high.x), xj.x, fma(c.x, P.restA.x, fma(c.x, P.tailA.x, own_low.x - low.x)));
  let y = apart(fma(c.y, P.headB.y, own_high.y), xj.y, fma(c.y, P.restB.y, fma(c.y, P.tailB.y, own_low.y - low.y)));
  let z = apart(fma(c.z, P.headC.z, own_high.z), xj.z, fma(c.z, P.restC.z, fma(c.z, P.tailC.z, own_low.z - low.z)));
  let r2 = ds_length2(x, y, z);
  return mat2x4f(vec4f(x.x, y.x, z.x, r2.x), vec4f(x.y, y.y, z.y, r2.y));
}

// The functor for one neighbor within reach.
fn call(i: ptr<function, functor_attract_i>, d: mat2x4f, jrow: u32) {
  var j: functor_attract_j;
  functor_attract(i, j, d);
}

// Whether a neighbor may be within the cutoff, from the high parts of positions.
fn isNear(xi: vec3f, ci: vec3f, e: u32, q: vec4u) -> bool {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart + imageParts(e, apart));
  return dot(d, d) < P.near2;
}
fn meet(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let apart = ci - cellParts(q.w);
  let cells = (apart + imageParts(e, apart)) * vec3f(1.0, 0.0009765625, 1.0);
  let d = difference(q, b_position_2e_low[rowOf(e)], cells);
  if (ds_less(vec2f(d[0].w, d[1].w), P.rcut2)) { call(i, d, rowOf(e)); }
}
var<workgroup> threadSums: array<functor_attract_i, 124>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  // The particle of this thread.
  let slot = group * 4u + lane % 4u;
  let thread = lane / 4u;
  let own = P.first + slot;

  var i = functor_attract_i();
  if (own < P.end) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = cellParts(place.w);
    holdOwn(xi, b_position_2e_low[own].xyz);
    functor_attract_before();

    // Walk along its list; the next vector of four entries is on the way while this one is worked on.
    let word = counts[own];
    let listed = word & 0x7fffffffu;
    var at = slot + thread * P.stride;
    let step = 32u * P.stride;
    var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }
    var vectors = (((listed + 3u) >> 2u) + 31u - thread) / 32u;
    for (var parts = (vectors + 7u) / 8u; parts > 0u; parts--) {
      let few = min(vectors, 8u);
      vectors -= few;
      // Four bits a vector, those of the last one lowest.
      var near = 0u;
      for (var left = few; left > 0u; left--) {
        let v = next;
        at += step;
        if (left > 1u || vectors > 0u) { next = entries[at]; }
        let qx = b_position[rowOf(v.x)];
        let qy = b_position[rowOf(v.y)];
        let qz = b_position[rowOf(v.z)];
        let qw = b_position[rowOf(v.w)];
        near = (near << 4u)
          | select(0u, 1u, isNear(xi, ci, v.x, qx))
          | select(0u, 2u, isNear(xi, ci, v.y, qy))
          | select(0u, 4u, isNear(xi, ci, v.z, qz))
          | select(0u, 8u, isNear(xi, ci, v.w, qw));
      }
      for (var some = countOneBits(near); some > 0u; some--) {
        let bit = firstTrailingBit(near);
        near &= near - 1u;
        let e = entries[at - ((bit >> 2u) + 1u) * step][bit & 3u];
        meet(&i, xi, ci, e, b_position[rowOf(e)]);
      }
    }

    i.fx_ = ds_settled(i.fx_); i.fy_ = ds_settled(i.fy_); i.fz_ = ds_settled(i.fz_);
  }
  // Add what the other threads of the particle have found, in a fixed order.
  if (thread >= 4u && thread < 32u) {
    threadSums[lane - 4u] = i;
  }
  workgroupBarrier();
  if (thread < 4u) {
    for (var left = 7u; left > 0u; left--) {
      let other = lane + (8u - left) * 16u - 4u;
      i.fx_ = ds_add(i.fx_, threadSums[other].fx_);
      i.fy_ = ds_add(i.fy_, threadSums[other].fy_);
      i.fz_ = ds_add(i.fz_, threadSums[other].fz_);
    }
  }
  if (thread >= 1u && thread < 4u) {
    threadSums[lane - 4u] = i;
  }
  workgroupBarrier();
  if (thread < 1u) {
    for (var left = 3u; left > 0u; left--) {
      let other = lane + (4u - left) * 4u - 4u;
      i.fx_ = ds_add(i.fx_, threadSums[other].fx_);
      i.fy_ = ds_add(i.fy_, threadSums[other].fy_);
      i.fz_ = ds_add(i.fz_, threadSums[other].fz_);
    }
  }
  // Store what the particle received.
  if (own < P.end && thread == 0u) {
    var out_force = b_force[own];
    { let put = ds_add(vec2f(out_force[0].x, out_force[1].x), i.fx_); out_force[0].x = put.x; out_force[1].x = put.y; }
    { let put = ds_add(vec2f(out_force[0].y, out_force[1].y), i.fy_); out_force[0].y = put.x; out_force[1].y = put.y; }
    { let put = ds_add(vec2f(out_force[0].z, out_force[1].z), i.fz_); out_force[0].z = put.x; out_force[1].z = put.y; }
    b_force[own] = out_force;
  }
}
