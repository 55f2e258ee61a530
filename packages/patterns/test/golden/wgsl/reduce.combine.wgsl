// speeds: combine
//
// One workgroup combines the partial results of all others, in a fixed order.

struct Params {
  groups: u32, // workgroups of the whole call
  at: u32, // where the result goes
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(2) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> partials: array<vec2u>; // partial results, one a workgroup
@group(0) @binding(1) var<storage, read_write> results: array<vec2u>; // results that go to the host

var<workgroup> tree: array<array<vec2u, 256>, 2>;

// Two partial results: reals with their rounding errors, whole numbers in 64 bits.
fn plus(a: f32, b: f32) -> f32 { return fma(a, P.one, b); }
fn addCompensated(p: vec2u, q: vec2u) -> vec2u {
  let a = bitcast<vec2f>(p);
  let b = bitcast<vec2f>(q);
  let s = plus(a.x, b.x);
  let t = plus(s, -a.x);
  let e = plus(plus(a.x, -plus(s, -t)), plus(b.x, -t));
  return bitcast<vec2u>(vec2f(s, plus(plus(a.y, b.y), e)));
}
fn addWide(a: vec2u, b: vec2u) -> vec2u {
  let low = a.x + b.x;
  return vec2u(low, a.y + b.y + select(0u, 1u, low < a.x));
}
fn combine_0(a: vec2u, b: vec2u) -> vec2u { return addCompensated(a, b); }
fn combine_1(a: vec2u, b: vec2u) -> vec2u { return vec2u(bitcast<u32>(max(bitcast<f32>(a.x), bitcast<f32>(b.x))), 0u); }

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u,
  @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 256u + lane;

  // Combine the partial results of some blocks of rows.
  var own_0 = vec2u(bitcast<u32>(0.0), 0u);
  var own_1 = vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u);
  let blocks = (P.groups + 0u) / 1u;
  let rounds = (blocks + 4095u) / 4096u;
  for (var left = select(0u, rounds, lane < blocks); left > 0u; left--) {
    let first = (rounds - left) * 4096u + lane;
    let at_0 = 1u * (first + 0u);
    let at_1 = 1u * (first + 256u);
    let at_2 = 1u * (first + 512u);
    let at_3 = 1u * (first + 768u);
    let at_4 = 1u * (first + 1024u);
    let at_5 = 1u * (first + 1280u);
    let at_6 = 1u * (first + 1536u);
    let at_7 = 1u * (first + 1792u);
    let at_8 = 1u * (first + 2048u);
    let at_9 = 1u * (first + 2304u);
    let at_10 = 1u * (first + 2560u);
    let at_11 = 1u * (first + 2816u);
    let at_12 = 1u * (first + 3072u);
    let at_13 = 1u * (first + 3328u);
    let at_14 = 1u * (first + 3584u);
    let at_15 = 1u * (first + 3840u);
    let part_0_0_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 0u, P.groups - 1u)], at_0 + 0u < P.groups);
    let part_0_1_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 0u, P.groups - 1u)], at_1 + 0u < P.groups);
    let part_0_2_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_2 + 0u, P.groups - 1u)], at_2 + 0u < P.groups);
    let part_0_3_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_3 + 0u, P.groups - 1u)], at_3 + 0u < P.groups);
    let part_0_4_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_4 + 0u, P.groups - 1u)], at_4 + 0u < P.groups);
    let part_0_5_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_5 + 0u, P.groups - 1u)], at_5 + 0u < P.groups);
    let part_0_6_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_6 + 0u, P.groups - 1u)], at_6 + 0u < P.groups);
    let part_0_7_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_7 + 0u, P.groups - 1u)], at_7 + 0u < P.groups);
    let part_0_8_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_8 + 0u, P.groups - 1u)], at_8 + 0u < P.groups);
    let part_0_9_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_9 + 0u, P.groups - 1u)], at_9 + 0u < P.groups);
    let part_0_10_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_10 + 0u, P.groups - 1u)], at_10 + 0u < P.groups);
    let part_0_11_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_11 + 0u, P.groups - 1u)], at_11 + 0u < P.groups);
    let part_0_12_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_12 + 0u, P.groups - 1u)], at_12 + 0u < P.groups);
    let part_0_13_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_13 + 0u, P.groups - 1u)], at_13 + 0u < P.groups);
    let part_0_14_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_14 + 0u, P.groups - 1u)], at_14 + 0u < P.groups);
    let part_0_15_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_15 + 0u, P.groups - 1u)], at_15 + 0u < P.groups);
    let part_1_0_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_0 + 0u, P.groups - 1u)], at_0 + 0u < P.groups);
    let part_1_1_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_1 + 0u, P.groups - 1u)], at_1 + 0u < P.groups);
    let part_1_2_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_2 + 0u, P.groups - 1u)], at_2 + 0u < P.groups);
    let part_1_3_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_3 + 0u, P.groups - 1u)], at_3 + 0u < P.groups);
    let part_1_4_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_4 + 0u, P.groups - 1u)], at_4 + 0u < P.groups);
    let part_1_5_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_5 + 0u, P.groups - 1u)], at_5 + 0u < P.groups);
    let part_1_6_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_6 + 0u, P.groups - 1u)], at_6 + 0u < P.groups);
    let part_1_7_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_7 + 0u, P.groups - 1u)], at_7 + 0u < P.groups);
    let part_1_8_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_8 + 0u, P.groups - 1u)], at_8 + 0u < P.groups);
    let part_1_9_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_9 + 0u, P.groups - 1u)], at_9 + 0u < P.groups);
    let part_1_10_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_10 + 0u, P.groups - 1u)], at_10 + 0u < P.groups);
    let part_1_11_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_11 + 0u, P.groups - 1u)], at_11 + 0u < P.groups);
    let part_1_12_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_12 + 0u, P.groups - 1u)], at_12 + 0u < P.groups);
    let part_1_13_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_13 + 0u, P.groups - 1u)], at_13 + 0u < P.groups);
    let part_1_14_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_14 + 0u, P.groups - 1u)], at_14 + 0u < P.groups);
    let part_1_15_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(at_15 + 0u, P.groups - 1u)], at_15 + 0u < P.groups);
    own_0 = combine_0(own_0, part_0_0_0);
    own_0 = combine_0(own_0, part_0_1_0);
    own_0 = combine_0(own_0, part_0_2_0);
    own_0 = combine_0(own_0, part_0_3_0);
    own_0 = combine_0(own_0, part_0_4_0);
    own_0 = combine_0(own_0, part_0_5_0);
    own_0 = combine_0(own_0, part_0_6_0);
    own_0 = combine_0(own_0, part_0_7_0);
    own_0 = combine_0(own_0, part_0_8_0);
    own_0 = combine_0(own_0, part_0_9_0);
    own_0 = combine_0(own_0, part_0_10_0);
    own_0 = combine_0(own_0, part_0_11_0);
    own_0 = combine_0(own_0, part_0_12_0);
    own_0 = combine_0(own_0, part_0_13_0);
    own_0 = combine_0(own_0, part_0_14_0);
    own_0 = combine_0(own_0, part_0_15_0);
    own_1 = combine_1(own_1, part_1_0_0);
    own_1 = combine_1(own_1, part_1_1_0);
    own_1 = combine_1(own_1, part_1_2_0);
    own_1 = combine_1(own_1, part_1_3_0);
    own_1 = combine_1(own_1, part_1_4_0);
    own_1 = combine_1(own_1, part_1_5_0);
    own_1 = combine_1(own_1, part_1_6_0);
    own_1 = combine_1(own_1, part_1_7_0);
    own_1 = combine_1(own_1, part_1_8_0);
    own_1 = combine_1(own_1, part_1_9_0);
    own_1 = combine_1(own_1, part_1_10_0);
    own_1 = combine_1(own_1, part_1_11_0);
    own_1 = combine_1(own_1, part_1_12_0);
    own_1 = combine_1(own_1, part_1_13_0);
    own_1 = combine_1(own_1, part_1_14_0);
    own_1 = combine_1(own_1, part_1_15_0);
  }
  // Combine the threads of the workgroup in a tree, and store one result.
  tree[0][reverseBits(lane) >> 24u] = own_0;
  tree[1][reverseBits(lane) >> 24u] = own_1;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half >>= 1u) {
    if (lane < half) {
      tree[0][lane] = combine_0(tree[0][lane], tree[0][lane + half]);
      tree[1][lane] = combine_1(tree[1][lane], tree[1][lane + half]);
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    results[P.at + 0u] = tree[0][0];
    results[P.at + 1u] = tree[1][0];
  }
}
