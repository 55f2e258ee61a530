// attract
//
// Calls pair functor 'attract' for all pairs of few particles within the cutoff; 32 threads share a particle.
//   pack      a workgroup packs all particles
//   near      distance to the nearest image; near neighbors are marked
//   call      the functor for those
//   store     sums are added to the rows of the particle, totals in a tree over the workgroup

struct Params {
  wraps: vec4f,
  base: vec4u,
  start: vec4f,
  low0: vec4u,
  high0: vec4u,
  along0: vec4f,
  span0: vec4f,
  low1: vec4u,
  high1: vec4u,
  along1: vec4f,
  span1: vec4f,
  low2: vec4u,
  high2: vec4u,
  along2: vec4f,
  span2: vec4f,
  e0: vec4f,
  e1: vec4f,
  e2: vec4f,
  inner2: f32,
  sweepReach2: f32,
  sweepRounds: u32,
  sweepNan: u32,
  particles: u32,
  sweep_p_epsilon: f32,
  sweep_p_sigma2: f32,
  sweep_p___rcut2: f32,
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(3) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_position: array<vec4u>; // rx ry rz, relative to the cell; packed cell
@group(0) @binding(1) var<storage, read_write> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(2) var<storage, read_write> partials: array<vec2u>; // partial results, one a workgroup

var<workgroup> sweepTile: array<vec4u, 512>;

var<workgroup> sweepFault: atomic<u32>;
var<workgroup> sweepShares: array<array<f32, 4>, 124>;
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

// Pair functor attract, for all pairs.
struct functor_attract_sweep_i { fx_: f32, fy_: f32, fz_: f32, ep_: f32 }
struct functor_attract_sweep_j { pad_: u32 }

fn functor_attract_sweep(i: ptr<function, functor_attract_sweep_i>, j: functor_attract_sweep_j, d: vec4f) {
  var taken_0: bool = (d.w < P.sweep_p___rcut2);
  var inverse_0: f32 = (1.0f / d.w);
  var s2_1: f32 = (P.sweep_p_sigma2 * inverse_0);
  var s6_2: f32 = ((s2_1 * s2_1) * s2_1);
  var f_3: f32 = ((((24.0f * P.sweep_p_epsilon) * s6_2) * ((2.0f * s6_2) - 1.0f)) * inverse_0);
  (*i).fx_ += (select(0.0f, f_3, taken_0) * d.x);
  (*i).fy_ += (select(0.0f, f_3, taken_0) * d.y);
  (*i).fz_ += (select(0.0f, f_3, taken_0) * d.z);
  (*i).ep_ += select(0.0f, (((2.0f * P.sweep_p_epsilon) * s6_2) * (s6_2 - 1.0f)), taken_0);
}

fn call_sweep(i: ptr<function, functor_attract_sweep_i>, d: vec4f, at: u32) {
  var j: functor_attract_sweep_j;

  functor_attract_sweep(i, j, d);
}

fn vectorOf(f: vec3f) -> vec3f { return f * vec3f(P.e0.x, P.e1.y, P.e2.z); }
fn difference(u: vec3u) -> vec3f { return vectorOf(vec3f(bitcast<vec3i>(u))); }
fn nearest(d: vec3f) -> vec3f { return d; }

// The particle of a row in coordinates that wrap around.
fn sweepPacked(row: u32, place: vec4u) -> vec4u {
  let cell = vec3u(place.w & 1023u, (place.w >> 10u) & 1023u, (place.w >> 20u) & 1023u);
  let x = bitcast<vec3f>(place.xyz);
  var turns = x.x * P.along0.xyz + x.y * P.along1.xyz + x.z * P.along2.xyz;
  let c = vec3f(cell);
  let far = turns + P.start.xyz + c.x * P.span0.xyz + c.y * P.span1.xyz + c.z * P.span2.xyz;
  let inside = (abs(far) < vec3f(0.2)) | ((P.wraps.xyz > vec3f(0.5)) & (abs(far) < vec3f(1e6)));
  if (!all(inside)) { atomicStore(&sweepFault, 1u); }
  turns -= round(turns);
  var u = P.base.xyz + bitcast<vec3u>(vec3i(turns * 4294967296.0));
  u += cell.x * P.high0.xyz + ((cell.x * P.low0.xyz) >> vec3u(22u));
  u += cell.y * P.high1.xyz + ((cell.y * P.low1.xyz) >> vec3u(22u));
  u += cell.z * P.high2.xyz + ((cell.z * P.low2.xyz) >> vec3u(22u));
  return vec4u(u, row);
}
// The packed particle of a row, or padding.
fn sweepMember(row: u32, place: vec4u) -> vec4u {
  if (row >= P.particles) { return vec4u(0u, 0u, 0u, 4294967295u); }
  return sweepPacked(row, place);
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  let own = group * 4u + lane % 4u;
  let thread = lane / 4u;

  // Meet all particles.
  let sweepRow = min(own, P.particles - 1u);
  var swept = functor_attract_sweep_i();

  {
    let row0 = 0u + 0u + lane;
    let at0 = min(row0, P.particles - 1u);
    let place0 = b_position[at0];

    let row1 = 0u + 128u + lane;
    let at1 = min(row1, P.particles - 1u);
    let place1 = b_position[at1];

    let row2 = 0u + 256u + lane;
    let at2 = min(row2, P.particles - 1u);
    let place2 = b_position[at2];

    let row3 = 0u + 384u + lane;
    let at3 = min(row3, P.particles - 1u);
    let place3 = b_position[at3];

    sweepTile[lane + 0u] = sweepMember(row0, place0);

    sweepTile[lane + 128u] = sweepMember(row1, place1);

    sweepTile[lane + 256u] = sweepMember(row2, place2);

    sweepTile[lane + 384u] = sweepMember(row3, place3);
  }
  workgroupBarrier();
  let sweepOwn = sweepTile[sweepRow];
  for (var run = 1u; run > 0u; run--) {
    let start = thread + (1u - run) * 512u;
    var near = 0u;
    for (var more = 16u; more > 0u; more--) {
      let k = 16u - more;
      let other = sweepTile[start + 32u * k];
      let d = nearest(difference(sweepOwn.xyz - other.xyz));
      let isNear = dot(d, d) < P.sweepReach2 && other.w != sweepOwn.w && other.w != 4294967295u;
      near |= select(0u, 1u << k, isNear);
    }
    for (var some = countOneBits(near); some > 0u; some--) {
      let at = start + 32u * firstTrailingBit(near);
      near &= near - 1u;
      let d = nearest(difference(sweepOwn.xyz - sweepTile[at].xyz));
      call_sweep(&swept, vec4f(d, dot(d, d)), at);
    }
  }
  // Add what the other threads of the particle have found, in a fixed order.
  if (thread >= 4u && thread < 32u) {
    sweepShares[lane - 4u][0] = swept.fx_;
    sweepShares[lane - 4u][1] = swept.fy_;
    sweepShares[lane - 4u][2] = swept.fz_;
    sweepShares[lane - 4u][3] = swept.ep_;
  }
  workgroupBarrier();
  if (thread < 4u) {
    for (var left = 7u; left > 0u; left--) {
      let other = lane + (8u - left) * 16u - 4u;
      swept.fx_ += sweepShares[other][0];
      swept.fy_ += sweepShares[other][1];
      swept.fz_ += sweepShares[other][2];
      swept.ep_ += sweepShares[other][3];
    }
  }
  if (thread >= 1u && thread < 4u) {
    sweepShares[lane - 4u][0] = swept.fx_;
    sweepShares[lane - 4u][1] = swept.fy_;
    sweepShares[lane - 4u][2] = swept.fz_;
    sweepShares[lane - 4u][3] = swept.ep_;
  }
  workgroupBarrier();
  if (thread < 1u) {
    for (var left = 3u; left > 0u; left--) {
      let other = lane + (4u - left) * 4u - 4u;
      swept.fx_ += sweepShares[other][0];
      swept.fy_ += sweepShares[other][1];
      swept.fz_ += sweepShares[other][2];
      swept.ep_ += sweepShares[other][3];
    }
  }
  let sweepBroken = select(0.0, bitcast<f32>(P.sweepNan), atomicLoad(&sweepFault) != 0u);
  var own_0 = vec2u(0u); // ep

  if (own < P.particles && thread == 0u) {
    var row_force = b_force[own];
    // attract: what the particle received.
    row_force.x = row_force.x + swept.fx_ + sweepBroken;
    row_force.y = row_force.y + swept.fy_ + sweepBroken;
    row_force.z = row_force.z + swept.fz_ + sweepBroken;
    row_force.w = row_force.w + swept.ep_ + sweepBroken;
    own_0 = vec2u(bitcast<u32>((swept.ep_ + sweepBroken)), 0u);
    b_force[own] = row_force;
  }

  // Combine the threads of the workgroup in a tree, and store one result.
  if (lane < 4u) {
    let leaf = lane;
    tree[0][leaf] = own_0;
  }
  workgroupBarrier();

  if (lane < 1u && group < P.groups) {
    let slot = 0u;
    let outcome = addReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]);
    partials[group] = outcome;
  }
}
