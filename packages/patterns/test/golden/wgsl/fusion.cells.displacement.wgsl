// kick + drift + displacement
//
// One thread a particle.
//   load      rows of the particle
//   call      cell functors in order: kick, drift
//   store     rows that were written
//   note      the largest displacement since the lists were built

struct Params {
  dims: vec4i, // cells along x, y and z
  edgeA: vec4f, // edges of a cell
  edgeB: vec4f,
  edgeC: vec4f,
  slot: u32, // record of this update
  list: u32, // list of fast particles
  mostFast: u32, // fast particles that it has room for
  tau2: f32, // square of the displacement beyond which a particle is fast
  f0_p_halfDt: f32, // p.halfDt of kick
  f1_p_dt: f32, // p.dt of drift
  count: u32, // particles
}
@group(0) @binding(6) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> b_velocity: array<vec4f>; // vx vy vz
@group(0) @binding(1) var<storage, read> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(2) var<storage, read> b_mass: array<f32>; // mass
@group(0) @binding(3) var<storage, read_write> b_position: array<vec4u>; // rx ry rz, relative to the cell; packed cell
@group(0) @binding(4) var<storage, read> reference: array<vec4u>; // positions for which the lists were built
@group(0) @binding(5) var<storage, read_write> displacements: array<atomic<u32>>; // records of displacements since the lists were built

// Cell of a particle, ten bits an axis.
fn unpackCell(w: u32) -> vec3i {
  return vec3i(i32(w & 1023u), i32((w >> 10u) & 1023u), i32((w >> 20u) & 1023u));
}
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// Vector that spans so many cells.
fn cellVectorOf(c: vec3f) -> vec3f {
  return c.x * P.edgeA.xyz + c.y * P.edgeB.xyz + c.z * P.edgeC.xyz;
}
// The same for whole cells.
fn cellVector(c: vec3i) -> vec3f { return cellVectorOf(vec3f(c)); }

// Largest squared displacement in the workgroup, and the first row that is not finite.
var<workgroup> farthest: atomic<u32>;
var<workgroup> broken: atomic<u32>;
fn isFinite(bits: u32) -> bool { return (bits & 0x7f800000u) != 0x7f800000u; }
// Lists a fast particle: at the end of the window it is compared with the other fast ones.
fn noteFast(row: vec4u, before: vec4u) {
  // A full list takes no more: threads would wait for one word.
  if (atomicLoad(&displacements[4u * P.slot + 3u]) > P.mostFast) { return; }
  let n = atomicAdd(&displacements[4u * P.slot + 3u], 1u);
  if (n >= P.mostFast) { return; }
  if (n == 0u) { atomicStore(&displacements[3072u + P.list], P.slot + 1u); }
  let at = 3328u + 8u * (P.list * P.mostFast + n);
  for (var k = 0u; k < 4u; k++) {
    atomicStore(&displacements[at + k], row[k]);
    atomicStore(&displacements[at + 4u + k], before[k]);
  }
}

// Cell functor kick.
struct functor_kick_f0_i { vx_: f32, vy_: f32, vz_: f32, fx_: f32, fy_: f32, fz_: f32, mass_: f32 }

fn functor_kick_f0(i: ptr<function, functor_kick_f0_i>) {
  var s_0: f32 = (P.f0_p_halfDt / (*i).mass_);
  (*i).vx_ += (s_0 * (*i).fx_);
  (*i).vy_ += (s_0 * (*i).fy_);
  (*i).vz_ += (s_0 * (*i).fz_);
}

// Cell functor drift.
struct functor_drift_f1_i { rx_: f32, ry_: f32, rz_: f32, vx_: f32, vy_: f32, vz_: f32 }

fn functor_drift_f1(i: ptr<function, functor_drift_f1_i>) {
  (*i).rx_ += (P.f1_p_dt * (*i).vx_);
  (*i).ry_ += (P.f1_p_dt * (*i).vy_);
  (*i).rz_ += (P.f1_p_dt * (*i).vz_);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  if (index < P.count) {
    var row_velocity = b_velocity[index];
    var row_force = b_force[index];
    var row_mass = b_mass[index];
    var row_position = b_position[index];
    // kick
    {
      var i = functor_kick_f0_i();
      i.vx_ = row_velocity.x;
      i.vy_ = row_velocity.y;
      i.vz_ = row_velocity.z;
      i.fx_ = row_force.x;
      i.fy_ = row_force.y;
      i.fz_ = row_force.z;
      i.mass_ = row_mass;
      functor_kick_f0(&i);
      row_velocity.x = i.vx_;
      row_velocity.y = i.vy_;
      row_velocity.z = i.vz_;
    }
    // drift
    {
      var i = functor_drift_f1_i();
      i.rx_ = 0.0;
      i.ry_ = 0.0;
      i.rz_ = 0.0;
      i.vx_ = row_velocity.x;
      i.vy_ = row_velocity.y;
      i.vz_ = row_velocity.z;
      functor_drift_f1(&i);
      row_position.x = bitcast<u32>(bitcast<f32>(row_position.x) + (i.rx_));
      row_position.y = bitcast<u32>(bitcast<f32>(row_position.y) + (i.ry_));
      row_position.z = bitcast<u32>(bitcast<f32>(row_position.z) + (i.rz_));
    }
    b_velocity[index] = row_velocity;
    b_position[index] = row_position;

    // Displacement since the lists were built.
    let before = reference[index];
    if (isFinite(row_position.x) && isFinite(row_position.y) && isFinite(row_position.z)) {
      let moved = relative(row_position) - relative(before)
        + cellVector(unpackCell(row_position.w) - unpackCell(before.w));
      let far = min(dot(moved, moved), 3e38);
      atomicMax(&farthest, bitcast<u32>(far));
      if (far > P.tau2) { noteFast(row_position, before); }
    } else {
      atomicMax(&broken, ~index);
    }
  }

  workgroupBarrier();
  if (lane == 0u) {
    // Note the largest displacement of the workgroup.
    let most = atomicExchange(&farthest, 0u);
    if (most > atomicLoad(&displacements[4u * P.slot])) { atomicMax(&displacements[4u * P.slot], most); }
    let first = atomicExchange(&broken, 0u);
    if (first > 0u) { atomicMax(&displacements[4u * P.slot + 1u], first); }
  }
}
