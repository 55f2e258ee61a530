// attract
//
// Calls pair functor 'attract' for every neighbor within the cutoff; 32 threads share a particle.
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
  near2: f32, // square of the radius of the coarse test
  p_epsilon: f32, // p.epsilon
  p_sigma2: f32, // p.sigma2
  p___rcut2: f32, // square of the call's cutoff
  rcut2: f32, // square of the cutoff
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

fn ds_sum(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  let t = fma(s, P.one, -a);
  return vec2f(s, fma(fma(a, P.one, -fma(s, P.one, -t)), P.one, fma(b, P.one, -t)));
}
fn ds_add(x: vec2f, y: vec2f) -> vec2f {
  let s = ds_sum(x.x, y.x);
  let t = ds_sum(x.y, y.y);
  let v = ds_fast(s.x, fma(s.y, P.one, t.x));
  return ds_fast(v.x, fma(t.y, P.one, v.y));
}
fn ds_fast(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  return vec2f(s, fma(b, P.one, -fma(s, P.one, -a)));
}
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Pair functor attract: fields of the particle i, fields of the neighbor j.
struct functor_attract_i { fx_: f32, fy_: f32, fz_: f32 }
struct functor_attract_j { pad_: u32 }

fn functor_attract(i: ptr<function, functor_attract_i>, j: functor_attract_j, d: vec4f) {
  var taken_0: bool = (d.w < P.p___rcut2);
  var inverse_0: f32 = (1.0f / d.w);
  var s2_1: f32 = (P.p_sigma2 * inverse_0);
  var s6_2: f32 = ((s2_1 * s2_1) * s2_1);
  var f_3: f32 = ((((24.0f * P.p_epsilon) * s6_2) * ((2.0f * s6_2) - 1.0f)) * inverse_0);
  (*i).fx_ += (select(0.0f, f_3, taken_0) * d.x);
  (*i).fy_ += (select(0.0f, f_3, taken_0) * d.y);
  (*i).fz_ += (select(0.0f, f_3, taken_0) * d.z);
}

// Row of a list entry.
fn rowOf(e: u32) -> u32 { return e & 67108863u; }
// Cells as whole numbers in the mantissa, the second one 1024 times too large: no shift, no conversion. Differences are
// exact.
fn cellParts(w: u32) -> vec3f {
  return bitcast<vec3f>(vec3u(w & 1023u, w & 0xffc00u, w >> 20u) | vec3u(0x4b000000u));
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
fn apart(p: f32, b: f32, rest: f32) -> f32 {
  let s = fma(p, P.one, -b);
  let e = fma(-b, P.one, -fma(s, P.one, -p));
  return s + (rest + e);
}
fn difference(q: vec4u, low: vec4f, c: vec3f) -> vec4f {
  let xj = relative(q);
  let x = apart(fma(c.x, P.headA.x, own_high.x), xj.x, fma(c.x, P.tailA.x, own_low.x - low.x));
  let y = apart(fma(c.y, P.headB.y, own_high.y), xj.y, fma(c.y, P.tailB.y, own_low.y - low.y));
  let z = apart(fma(c.z, P.headC.z, own_high.z), xj.z, fma(c.z, P.tailC.z, own_low.z - low.z));
  return vec4f(x, y, z, x * x + y * y + z * z);
}

struct functor_attract_sums { fx_: vec2f, fy_: vec2f, fz_: vec2f }
var<private> sums: functor_attract_sums;
fn gathered(sum: vec2f, x: f32) -> vec2f {
  let s = ds_sum(sum.x, x);
  return vec2f(s.x, sum.y + s.y);
}

// The functor for one neighbor within reach.
fn call(i: ptr<function, functor_attract_i>, d: vec4f, jrow: u32) {
  var j: functor_attract_j;
  functor_attract(i, j, d);
  sums.fx_ = gathered(sums.fx_, (*i).fx_); (*i).fx_ = f32(0);
  sums.fy_ = gathered(sums.fy_, (*i).fy_); (*i).fy_ = f32(0);
  sums.fz_ = gathered(sums.fz_, (*i).fz_); (*i).fz_ = f32(0);
}

// A listed neighbor.
fn meetPlain(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u, low: vec4f) {
  let apart = ci - cellParts(q.w);
  call(i, difference(q, low, (apart) * vec3f(1.0, 0.0009765625, 1.0)), e);
}
// A listed neighbor, perhaps a periodic image.
fn meet(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u, low: vec4f) {
  let apart = ci - cellParts(q.w);
  call(i, difference(q, low, (apart + imageParts(e, apart)) * vec3f(1.0, 0.0009765625, 1.0)), rowOf(e));
}
var<workgroup> threadSums: array<functor_attract_sums, 124>;

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

    // Walk along its list; the next vector of four entries is on the way while this one is worked on.
    let word = counts[own];
    let listed = word & 0x7fffffffu;
    // No neighbor of particles nearby is a periodic image: entries are rows.
    if (word == listed) {
      var at = slot + thread * P.stride;
      var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }
      for (var left = (((listed + 3u) >> 2u) + 31u - thread) / 32u; left > 0u; left--) {
        let v = next;
        at += 32u * P.stride;
        if (left > 1u) { next = entries[at]; }
        let qx = b_position[v.x];
        let qy = b_position[v.y];
        let qz = b_position[v.z];
        let qw = b_position[v.w];
        let lx = b_position_2e_low[v.x];
        let ly = b_position_2e_low[v.y];
        let lz = b_position_2e_low[v.z];
        let lw = b_position_2e_low[v.w];
        meetPlain(&i, xi, ci, v.x, qx, lx);
        meetPlain(&i, xi, ci, v.y, qy, ly);
        meetPlain(&i, xi, ci, v.z, qz, lz);
        meetPlain(&i, xi, ci, v.w, qw, lw);
      }
    } else { // entries tell row and image
      var at = slot + thread * P.stride;
      var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }
      for (var left = (((listed + 3u) >> 2u) + 31u - thread) / 32u; left > 0u; left--) {
        let v = next;
        at += 32u * P.stride;
        if (left > 1u) { next = entries[at]; }
        let qx = b_position[rowOf(v.x)];
        let qy = b_position[rowOf(v.y)];
        let qz = b_position[rowOf(v.z)];
        let qw = b_position[rowOf(v.w)];
        let lx = b_position_2e_low[rowOf(v.x)];
        let ly = b_position_2e_low[rowOf(v.y)];
        let lz = b_position_2e_low[rowOf(v.z)];
        let lw = b_position_2e_low[rowOf(v.w)];
        meet(&i, xi, ci, v.x, qx, lx);
        meet(&i, xi, ci, v.y, qy, ly);
        meet(&i, xi, ci, v.z, qz, lz);
        meet(&i, xi, ci, v.w, qw, lw);
      }
    }
  }
  // Add what the other threads of the particle have found, in a fixed order.
  if (thread >= 4u && thread < 32u) {
    threadSums[lane - 4u] = sums;
  }
  workgroupBarrier();
  if (thread < 4u) {
    for (var left = 7u; left > 0u; left--) {
      let other = lane + (8u - left) * 16u - 4u;
      sums.fx_ = ds_add(sums.fx_, threadSums[other].fx_);
      sums.fy_ = ds_add(sums.fy_, threadSums[other].fy_);
      sums.fz_ = ds_add(sums.fz_, threadSums[other].fz_);
    }
  }
  if (thread >= 1u && thread < 4u) {
    threadSums[lane - 4u] = sums;
  }
  workgroupBarrier();
  if (thread < 1u) {
    for (var left = 3u; left > 0u; left--) {
      let other = lane + (4u - left) * 4u - 4u;
      sums.fx_ = ds_add(sums.fx_, threadSums[other].fx_);
      sums.fy_ = ds_add(sums.fy_, threadSums[other].fy_);
      sums.fz_ = ds_add(sums.fz_, threadSums[other].fz_);
    }
  }
  // Store what the particle received.
  if (own < P.end && thread == 0u) {
    var out_force = b_force[own];
    { let put = ds_add(vec2f(out_force[0].x, out_force[1].x), sums.fx_); out_force[0].x = put.x; out_force[1].x = put.y; }
    { let put = ds_add(vec2f(out_force[0].y, out_force[1].y), sums.fy_); out_force[0].y = put.x; out_force[1].y = put.y; }
    { let put = ds_add(vec2f(out_force[0].z, out_force[1].z), sums.fz_); out_force[0].z = put.x; out_force[1].z = put.y; }
    b_force[own] = out_force;
  }
}
