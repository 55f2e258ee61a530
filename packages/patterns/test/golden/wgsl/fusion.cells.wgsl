// kick + drift
//
// One thread a particle.
//   load      rows of the particle
//   call      cell functors in order: kick, drift
//   store     rows that were written

struct Params {
  f0_p_halfDt: f32, // p.halfDt of kick
  f1_p_dt: f32, // p.dt of drift
  count: u32, // particles
}
@group(0) @binding(4) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> b_velocity: array<vec4f>; // vx vy vz
@group(0) @binding(1) var<storage, read> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(2) var<storage, read> b_mass: array<f32>; // mass
@group(0) @binding(3) var<storage, read_write> b_position: array<vec4u>; // rx ry rz, relative to the cell; packed cell

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
  }
}
