// attract + zero + crowding
//
// Calls pair functor 'attract' for every neighbor within the cutoff; 32 threads share a particle.
//   list      four entries of the particle's list at a time
//   meet      displacement to the nearest image, cutoff, functor
//   combine   what the threads of a particle have found is added up
//   store     sums overwrite the particle's rows of force, which a call before would have cleared
//   then      the cell functors that follow run on the same rows: zero
//   sweep     on the same walk, crowding for the near ones of all pairs

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  center: vec4f, // center of the first cell
  p_epsilon: f32, // p.epsilon
  p_sigma2: f32, // p.sigma2
  p___rcut2: f32, // square of the call's cutoff
  sweepReach2: f32,
  rcut2: f32, // square of the cutoff
  first: u32, // rows of this dispatch: first … end − 1
  end: u32,
  firstGroup: u32, // number of the first workgroup
  stride: u32, // entry k of a row is entries[k · stride + row]
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(6) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_position: array<vec4u>; // rx ry rz, relative to the cell; packed cell
@group(0) @binding(1) var<storage, read_write> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(2) var<storage, read_write> b_near: array<f32>; // near
@group(0) @binding(3) var<storage, read> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(4) var<storage, read> entries: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)
@group(0) @binding(5) var<storage, read_write> partials: array<vec2u>; // partial results, one a workgroup

// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Vector that spans so many cells.
fn cellVectorOf(c: vec3f) -> vec3f {
  return c * vec3f(P.edgeA.x, P.edgeB.y, P.edgeC.z);
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

// Cell functor zero.
struct functor_zero_e0_i { near_: f32 }

fn functor_zero_e0(i: ptr<function, functor_zero_e0_i>) {
  (*i).near_ = 0.0f;
}

var<workgroup> sweepShares: array<array<f32, 1>, 124>;
var<workgroup> tree: array<array<vec2u, 4>, 1>;

// Compilers rearrange plain additions.
fn plus(a: f32, b: f32) -> f32 { return fma(a, P.one, b); }
// Sums of reals, each with its rounding error.
fn addReals(p: vec2u, q: vec2u) -> vec2u {
  let a = bitcast<vec2f>(p);
  let b = bitcast<vec2f>(q);
  let s = plus(a.x, b.x);
  let t = plus(s, -a.x);
  let e = plus(plus(a.x, -plus(s, -t)), plus(b.x, -t));
  return bitcast<vec2u>(vec2f(s, plus(plus(a.y, b.y), e)));
}

// The same for four, neighbors first.
fn addReals4(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return addReals(addReals(a, b), addReals(c, d)); }

// Pair functor crowding, for the near ones of all pairs.
struct functor_crowding_sweep_i { near_: f32 }
struct functor_crowding_sweep_j { pad_: u32 }

fn functor_crowding_sweep(i: ptr<function, functor_crowding_sweep_i>, j: functor_crowding_sweep_j, d: vec4f) {
  (*i).near_ += exp((-d.w));
}

fn neighborOf(row: u32) -> functor_crowding_sweep_j {
  var j: functor_crowding_sweep_j;

  return j;
}

// The functor for one neighbor within reach.
fn call(i: ptr<function, functor_attract_i>, d: vec4f, jrow: u32) {
  var j: functor_attract_j;
  functor_attract(i, j, d);
}

// A listed neighbor.
fn meetPlain(i: ptr<function, functor_attract_i>, swept: ptr<function, functor_crowding_sweep_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u, neighbor: functor_crowding_sweep_j) {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart);
  let r2 = dot(d, d);
  call(i, vec4f(d, r2), e);
  if (r2 < P.sweepReach2) { functor_crowding_sweep(swept, neighbor, vec4f(d, r2)); }
}
// A listed neighbor, perhaps a periodic image.
fn meet(i: ptr<function, functor_attract_i>, swept: ptr<function, functor_crowding_sweep_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u, neighbor: functor_crowding_sweep_j) {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart + imageParts(e, apart));
  let r2 = dot(d, d);
  call(i, vec4f(d, r2), rowOf(e));
  if (r2 < P.sweepReach2) { functor_crowding_sweep(swept, neighbor, vec4f(d, r2)); }
}
var<workgroup> threadSums: array<functor_attract_i, 124>;

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  // The particle of this thread.
  let slot = group * 4u + lane % 4u;
  let thread = lane / 4u;
  let own = P.first + slot;
  var swept = functor_crowding_sweep_i();
  var own_0 = vec2u(0u); // near
  var i = functor_attract_i();
  if (own < P.end) {
    let place = b_position[own];
    let xi = relative(place);
    let ci = cellParts(place.w);

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
        let neighbor_x = neighborOf(v.x);
        let neighbor_y = neighborOf(v.y);
        let neighbor_z = neighborOf(v.z);
        let neighbor_w = neighborOf(v.w);
        let qx = b_position[v.x];
        let qy = b_position[v.y];
        let qz = b_position[v.z];
        let qw = b_position[v.w];
        meetPlain(&i, &swept, xi, ci, v.x, qx, neighbor_x);
        meetPlain(&i, &swept, xi, ci, v.y, qy, neighbor_y);
        meetPlain(&i, &swept, xi, ci, v.z, qz, neighbor_z);
        meetPlain(&i, &swept, xi, ci, v.w, qw, neighbor_w);
      }
    } else { // entries tell row and image
      var at = slot + thread * P.stride;
      var next = vec4u(); if (4u * thread < listed) { next = entries[at]; }
      for (var left = (((listed + 3u) >> 2u) + 31u - thread) / 32u; left > 0u; left--) {
        let v = next;
        at += 32u * P.stride;
        if (left > 1u) { next = entries[at]; }
        let neighbor_x = neighborOf(rowOf(v.x));
        let neighbor_y = neighborOf(rowOf(v.y));
        let neighbor_z = neighborOf(rowOf(v.z));
        let neighbor_w = neighborOf(rowOf(v.w));
        let qx = b_position[rowOf(v.x)];
        let qy = b_position[rowOf(v.y)];
        let qz = b_position[rowOf(v.z)];
        let qw = b_position[rowOf(v.w)];
        meet(&i, &swept, xi, ci, v.x, qx, neighbor_x);
        meet(&i, &swept, xi, ci, v.y, qy, neighbor_y);
        meet(&i, &swept, xi, ci, v.z, qz, neighbor_z);
        meet(&i, &swept, xi, ci, v.w, qw, neighbor_w);
      }
    }
  }
  // Add what the other threads of the particle have found, in a fixed order.
  if (thread >= 4u && thread < 32u) {
    threadSums[lane - 4u] = i;  sweepShares[lane - 4u][0] = swept.near_;
  }
  workgroupBarrier();
  if (thread < 4u) {
    for (var left = 7u; left > 0u; left--) {
      let other = lane + (8u - left) * 16u - 4u;
      i.fx_ += threadSums[other].fx_;
      i.fy_ += threadSums[other].fy_;
      i.fz_ += threadSums[other].fz_;
      swept.near_ += sweepShares[other][0];
    }
  }
  if (thread >= 1u && thread < 4u) {
    threadSums[lane - 4u] = i;  sweepShares[lane - 4u][0] = swept.near_;
  }
  workgroupBarrier();
  if (thread < 1u) {
    for (var left = 3u; left > 0u; left--) {
      let other = lane + (4u - left) * 4u - 4u;
      i.fx_ += threadSums[other].fx_;
      i.fy_ += threadSums[other].fy_;
      i.fz_ += threadSums[other].fz_;
      swept.near_ += sweepShares[other][0];
    }
  }
  // Store what the particle received.
  if (own < P.end && thread == 0u) {
    var out_force = vec4f();
    out_force.x = out_force.x + i.fx_;
    out_force.y = out_force.y + i.fy_;
    out_force.z = out_force.z + i.fz_;
    b_force[own] = out_force;
    // What follows the pair call.
    {
      var row_near = b_near[own];
      // zero
      {
        var i = functor_zero_e0_i();
        i.near_ = row_near;
        functor_zero_e0(&i);
        row_near = i.near_;
      }
      // crowding: what the particle received.
      row_near = row_near + swept.near_;
      own_0 = vec2u(bitcast<u32>(swept.near_), 0u);
      b_near[own] = row_near;
    }
  }

  // Combine the threads of the workgroup in a tree, and store one result.
  if (lane < 4u) {
    let leaf = lane;
    tree[0][leaf] = own_0;
  }
  workgroupBarrier();

  if (lane < 1u && (P.firstGroup + group) < P.groups) {
    let slot = 0u;
    let outcome = addReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]);
    partials[(P.firstGroup + group)] = outcome;
  }
}
