// attract + kick
//
// Calls pair functor 'attract' for every neighbor within the cutoff; 32 threads share a particle.
//   list      four entries of the particle's list at a time
//   meet      displacement to the nearest image, cutoff, functor
//   combine   what the threads of a particle have found is added up
//   store     sums overwrite the particle's rows of force, which a call before would have cleared
//   then      the cell functors that follow run on the same rows: kick

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  center: vec4f, // center of the first cell
  p_epsilon: f32, // p.epsilon
  p_sigma2: f32, // p.sigma2
  p___rcut2: f32, // square of the call's cutoff
  e0_p_halfDt: f32, // p.halfDt of kick
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
@group(0) @binding(2) var<storage, read_write> b_velocity: array<vec4f>; // vx vy vz
@group(0) @binding(3) var<storage, read> b_mass: array<f32>; // mass
@group(0) @binding(4) var<storage, read> counts: array<u32>; // neighbors of each row; bit 31: some in its wave are periodic images
@group(0) @binding(5) var<storage, read> entries: array<vec4u>; // neighbor lists, four entries a vector: row, and image in the bits above (26, in thin boxes fewer)

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

// Cell functor kick.
struct functor_kick_e0_i { vx_: f32, vy_: f32, vz_: f32, fx_: f32, fy_: f32, fz_: f32, mass_: f32 }

fn functor_kick_e0(i: ptr<function, functor_kick_e0_i>) {
  var s_0: f32 = (P.e0_p_halfDt / (*i).mass_);
  (*i).vx_ += (s_0 * (*i).fx_);
  (*i).vy_ += (s_0 * (*i).fy_);
  (*i).vz_ += (s_0 * (*i).fz_);
}

// The functor for one neighbor within reach.
fn call(i: ptr<function, functor_attract_i>, d: vec4f, jrow: u32) {
  var j: functor_attract_j;
  functor_attract(i, j, d);
}

// A listed neighbor.
fn meetPlain(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart);
  let r2 = dot(d, d);
  call(i, vec4f(d, r2), e);
}
// A listed neighbor, perhaps a periodic image.
fn meet(i: ptr<function, functor_attract_i>, xi: vec3f, ci: vec3f, e: u32, q: vec4u) {
  let apart = ci - cellParts(q.w);
  let d = between(xi, q, apart + imageParts(e, apart));
  let r2 = dot(d, d);
  call(i, vec4f(d, r2), rowOf(e));
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
        meetPlain(&i, xi, ci, v.x, qx);
        meetPlain(&i, xi, ci, v.y, qy);
        meetPlain(&i, xi, ci, v.z, qz);
        meetPlain(&i, xi, ci, v.w, qw);
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
        meet(&i, xi, ci, v.x, qx);
        meet(&i, xi, ci, v.y, qy);
        meet(&i, xi, ci, v.z, qz);
        meet(&i, xi, ci, v.w, qw);
      }
    }
  }
  // Add what the other threads of the particle have found, in a fixed order.
  if (thread >= 4u && thread < 32u) {
    threadSums[lane - 4u] = i;
  }
  workgroupBarrier();
  if (thread < 4u) {
    for (var left = 7u; left > 0u; left--) {
      let other = lane + (8u - left) * 16u - 4u;
      i.fx_ += threadSums[other].fx_;
      i.fy_ += threadSums[other].fy_;
      i.fz_ += threadSums[other].fz_;
    }
  }
  if (thread >= 1u && thread < 4u) {
    threadSums[lane - 4u] = i;
  }
  workgroupBarrier();
  if (thread < 1u) {
    for (var left = 3u; left > 0u; left--) {
      let other = lane + (4u - left) * 4u - 4u;
      i.fx_ += threadSums[other].fx_;
      i.fy_ += threadSums[other].fy_;
      i.fz_ += threadSums[other].fz_;
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
      var row_velocity = b_velocity[own];
      var row_force = out_force;
      var row_mass = b_mass[own];
      // kick
      {
        var i = functor_kick_e0_i();
        i.vx_ = row_velocity.x;
        i.vy_ = row_velocity.y;
        i.vz_ = row_velocity.z;
        i.fx_ = row_force.x;
        i.fy_ = row_force.y;
        i.fz_ = row_force.z;
        i.mass_ = row_mass;
        functor_kick_e0(&i);
        row_velocity.x = i.vx_;
        row_velocity.y = i.vy_;
        row_velocity.z = i.vz_;
      }
      b_velocity[own] = row_velocity;
    }
  }
}
