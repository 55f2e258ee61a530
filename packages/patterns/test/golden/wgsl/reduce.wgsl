// speeds
//
// One thread a particle.
//   load      rows of the particle
//   reduce    reduce functors: speeds
//   tree      the workgroup combines its threads in a fixed order and stores a partial result

struct Params {
  count: u32, // particles
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(3) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_velocity: array<vec4f>; // vx vy vz
@group(0) @binding(1) var<storage, read> b_mass: array<f32>; // mass
@group(0) @binding(2) var<storage, read_write> partials: array<vec2u>; // partial results, one a workgroup

var<workgroup> tree: array<array<vec2u, 128>, 2>;

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

fn maxReals(a: vec2u, b: vec2u) -> vec2u {
  return vec2u(bitcast<u32>(max(bitcast<f32>(a.x), bitcast<f32>(b.x))), 0u);
}

// The same for four, neighbors first.
fn maxReals4(a: vec2u, b: vec2u, c: vec2u, d: vec2u) -> vec2u { return maxReals(maxReals(a, b), maxReals(c, d)); }

// Reduce functor speeds.
struct functor_speeds_acc { energy_: f32, fastest_: f32 }
struct functor_speeds_i { vx_: f32, vy_: f32, vz_: f32, mass_: f32 }

fn functor_speeds(acc: ptr<function, functor_speeds_acc>, i: functor_speeds_i) {
  var v2_0: f32 = (((i.vx_ * i.vx_) + (i.vy_ * i.vy_)) + (i.vz_ * i.vz_));
  (*acc).energy_ += ((0.5f * i.mass_) * v2_0);
  (*acc).fastest_ = max((*acc).fastest_, v2_0);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  var own_0 = vec2u(0u); // energy
  var own_1 = vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u); // fastest
  if (index < P.count) {
    var row_velocity = b_velocity[index];
    var row_mass = b_mass[index];

    // speeds
    {
      var i = functor_speeds_i();
      i.vx_ = row_velocity.x;
      i.vy_ = row_velocity.y;
      i.vz_ = row_velocity.z;
      i.mass_ = row_mass;
      var acc = functor_speeds_acc();
      acc.energy_ = 0.0;
      acc.fastest_ = bitcast<f32>(0xff7fffffu);
      functor_speeds(&acc, i);
      own_0 = vec2u(bitcast<u32>(acc.energy_), 0u);
      own_1 = vec2u(bitcast<u32>(acc.fastest_), 0u);
    }
  }

  // Combine the threads of the workgroup in a tree, and store one result.
  {
    let leaf = (lane & 15u) * 8u + (lane >> 4u);
    tree[0][leaf] = own_0;
    tree[1][leaf] = own_1;
  }
  workgroupBarrier();
  if (lane < 8u) {
    let slot = 0u;
    let node = lane;
    tree[slot][node] = addReals4(
      addReals4(tree[slot][node], tree[slot][node + 8u], tree[slot][node + 16u], tree[slot][node + 24u]),
      addReals4(tree[slot][node + 32u], tree[slot][node + 40u], tree[slot][node + 48u], tree[slot][node + 56u]),
      addReals4(tree[slot][node + 64u], tree[slot][node + 72u], tree[slot][node + 80u], tree[slot][node + 88u]),
      addReals4(tree[slot][node + 96u], tree[slot][node + 104u], tree[slot][node + 112u], tree[slot][node + 120u])
    );
  }
  if (lane < 8u) {
    let slot = 1u;
    let node = lane;
    tree[slot][node] = maxReals4(
      maxReals4(tree[slot][node], tree[slot][node + 8u], tree[slot][node + 16u], tree[slot][node + 24u]),
      maxReals4(tree[slot][node + 32u], tree[slot][node + 40u], tree[slot][node + 48u], tree[slot][node + 56u]),
      maxReals4(tree[slot][node + 64u], tree[slot][node + 72u], tree[slot][node + 80u], tree[slot][node + 88u]),
      maxReals4(tree[slot][node + 96u], tree[slot][node + 104u], tree[slot][node + 112u], tree[slot][node + 120u])
    );
  }
  workgroupBarrier();
  if (lane < 1u && group < P.groups) {
    let slot = 0u;
    let outcome = addReals(
      addReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]),
      addReals4(tree[slot][4u], tree[slot][5u], tree[slot][6u], tree[slot][7u])
    );
    partials[group] = outcome;
  }
  if (lane < 1u && group < P.groups) {
    let slot = 1u;
    let outcome = maxReals(
      maxReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]),
      maxReals4(tree[slot][4u], tree[slot][5u], tree[slot][6u], tree[slot][7u])
    );
    partials[P.groups + group] = outcome;
  }
}
