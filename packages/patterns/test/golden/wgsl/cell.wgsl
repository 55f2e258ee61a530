// kick
//
// One thread a particle.
//   load      rows of the particle
//   call      cell functors in order: kick
//   store     rows that were written

struct Params {
  p_halfDt: f32, // p.halfDt
  count: u32, // particles
}
@group(0) @binding(3) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> b_velocity: array<vec4f>; // vx vy vz
@group(0) @binding(1) var<storage, read> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(2) var<storage, read> b_mass: array<f32>; // mass

// Cell functor kick.
struct functor_kick_i { vx_: f32, vy_: f32, vz_: f32, fx_: f32, fy_: f32, fz_: f32, mass_: f32 }

fn functor_kick(i: ptr<function, functor_kick_i>) {
  var s_0: f32 = (P.p_halfDt / (*i).mass_);
  (*i).vx_ += (s_0 * (*i).fx_);
  (*i).vy_ += (s_0 * (*i).fy_);
  (*i).vz_ += (s_0 * (*i).fz_);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  if (index < P.count) {
    var row_velocity = b_velocity[index];
    var row_force = b_force[index];
    var row_mass = b_mass[index];
    // kick
    {
      var i = functor_kick_i();
      i.vx_ = row_velocity.x;
      i.vy_ = row_velocity.y;
      i.vz_ = row_velocity.z;
      i.fx_ = row_force.x;
      i.fy_ = row_force.y;
      i.fz_ = row_force.z;
      i.mass_ = row_mass;
      functor_kick(&i);
      row_velocity.x = i.vx_;
      row_velocity.y = i.vy_;
      row_velocity.z = i.vz_;
    }
    b_velocity[index] = row_velocity;
  }
}
