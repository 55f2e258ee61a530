// attract: combine
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

var<workgroup> tree: array<array<vec2u, 256>, 1>;

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

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u,
  @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 256u + lane;

  // Combine the partial results of some blocks of rows.
  var own_0 = vec2u(bitcast<u32>(0.0), 0u);
  let blocks = (P.groups + 7u) / 8u;
  let rounds = (blocks + 511u) / 512u;
  for (var left = select(0u, rounds, lane < blocks); left > 0u; left--) {
    let first = (rounds - left) * 512u + lane;
    let at_0 = 8u * (first + 0u);
    let at_1 = 8u * (first + 256u);
    let part_0_0_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 0u, P.groups - 1u)], at_0 + 0u < P.groups);
    let part_0_0_1 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 1u, P.groups - 1u)], at_0 + 1u < P.groups);
    let part_0_0_2 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 2u, P.groups - 1u)], at_0 + 2u < P.groups);
    let part_0_0_3 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 3u, P.groups - 1u)], at_0 + 3u < P.groups);
    let part_0_0_4 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 4u, P.groups - 1u)], at_0 + 4u < P.groups);
    let part_0_0_5 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 5u, P.groups - 1u)], at_0 + 5u < P.groups);
    let part_0_0_6 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 6u, P.groups - 1u)], at_0 + 6u < P.groups);
    let part_0_0_7 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_0 + 7u, P.groups - 1u)], at_0 + 7u < P.groups);
    let part_0_1_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 0u, P.groups - 1u)], at_1 + 0u < P.groups);
    let part_0_1_1 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 1u, P.groups - 1u)], at_1 + 1u < P.groups);
    let part_0_1_2 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 2u, P.groups - 1u)], at_1 + 2u < P.groups);
    let part_0_1_3 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 3u, P.groups - 1u)], at_1 + 3u < P.groups);
    let part_0_1_4 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 4u, P.groups - 1u)], at_1 + 4u < P.groups);
    let part_0_1_5 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 5u, P.groups - 1u)], at_1 + 5u < P.groups);
    let part_0_1_6 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 6u, P.groups - 1u)], at_1 + 6u < P.groups);
    let part_0_1_7 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(at_1 + 7u, P.groups - 1u)], at_1 + 7u < P.groups);
    own_0 = combine_0(own_0, combine_0(combine_0(combine_0(part_0_0_0, part_0_0_1), combine_0(part_0_0_2, part_0_0_3)), combine_0(combine_0(part_0_0_4, part_0_0_5), combine_0(part_0_0_6, part_0_0_7))));
    own_0 = combine_0(own_0, combine_0(combine_0(combine_0(part_0_1_0, part_0_1_1), combine_0(part_0_1_2, part_0_1_3)), combine_0(combine_0(part_0_1_4, part_0_1_5), combine_0(part_0_1_6, part_0_1_7))));
  }
  // Combine the threads of the workgroup in a tree, and store one result.
  tree[0][reverseBits(lane) >> 24u] = own_0;
  workgroupBarrier();
  for (var half = 128u; half > 0u; half >>= 1u) {
    if (lane < half) {
      tree[0][lane] = combine_0(tree[0][lane], tree[0][lane + half]);
    }
    workgroupBarrier();
  }
  if (lane == 0u) {
    results[P.at + 0u] = tree[0][0];
  }
}
