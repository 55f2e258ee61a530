// speeds: combine
//
// One workgroup combines the partial results of all others, in a fixed order.

struct Params {
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
  sum_0: u32, // where the result goes
  sum_1: u32, // where the result goes
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

  // Combine a few partial results.
  let first = 1u * lane;
  let part_0_0 = select(vec2u(bitcast<u32>(0.0), 0u), partials[0u * P.groups + min(first + 0u, P.groups - 1u)], first + 0u < P.groups);
  let part_1_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[1u * P.groups + min(first + 0u, P.groups - 1u)], first + 0u < P.groups);
  let own_0 = part_0_0;
  let own_1 = part_1_0;
  // Combine the threads of the workgroup in a tree, and store one result.
  {
    let leaf = (lane & 15u) * 16u + (lane >> 4u);
    tree[0][leaf] = own_0;
    tree[1][leaf] = own_1;
  }
  workgroupBarrier();
  if (lane < 16u) {
    let slot = 0u;
    let node = lane;
    tree[slot][node] = combine_0(combine_0(combine_0(combine_0(tree[slot][node + 0u], tree[slot][node + 16u]), combine_0(tree[slot][node + 32u], tree[slot][node + 48u])), combine_0(combine_0(tree[slot][node + 64u], tree[slot][node + 80u]), combine_0(tree[slot][node + 96u], tree[slot][node + 112u]))), combine_0(combine_0(combine_0(tree[slot][node + 128u], tree[slot][node + 144u]), combine_0(tree[slot][node + 160u], tree[slot][node + 176u])), combine_0(combine_0(tree[slot][node + 192u], tree[slot][node + 208u]), combine_0(tree[slot][node + 224u], tree[slot][node + 240u]))));
  }
  if (lane < 16u) {
    let slot = 1u;
    let node = lane;
    tree[slot][node] = combine_1(combine_1(combine_1(combine_1(tree[slot][node + 0u], tree[slot][node + 16u]), combine_1(tree[slot][node + 32u], tree[slot][node + 48u])), combine_1(combine_1(tree[slot][node + 64u], tree[slot][node + 80u]), combine_1(tree[slot][node + 96u], tree[slot][node + 112u]))), combine_1(combine_1(combine_1(tree[slot][node + 128u], tree[slot][node + 144u]), combine_1(tree[slot][node + 160u], tree[slot][node + 176u])), combine_1(combine_1(tree[slot][node + 192u], tree[slot][node + 208u]), combine_1(tree[slot][node + 224u], tree[slot][node + 240u]))));
  }
  workgroupBarrier();
  if (lane < 1u) {
    let slot = 0u;
    let outcome = combine_0(combine_0(combine_0(combine_0(tree[slot][0u], tree[slot][1u]), combine_0(tree[slot][2u], tree[slot][3u])), combine_0(combine_0(tree[slot][4u], tree[slot][5u]), combine_0(tree[slot][6u], tree[slot][7u]))), combine_0(combine_0(combine_0(tree[slot][8u], tree[slot][9u]), combine_0(tree[slot][10u], tree[slot][11u])), combine_0(combine_0(tree[slot][12u], tree[slot][13u]), combine_0(tree[slot][14u], tree[slot][15u]))));
    results[P.sum_0] = outcome;
  }
  if (lane < 1u) {
    let slot = 1u;
    let outcome = combine_1(combine_1(combine_1(combine_1(tree[slot][0u], tree[slot][1u]), combine_1(tree[slot][2u], tree[slot][3u])), combine_1(combine_1(tree[slot][4u], tree[slot][5u]), combine_1(tree[slot][6u], tree[slot][7u]))), combine_1(combine_1(combine_1(tree[slot][8u], tree[slot][9u]), combine_1(tree[slot][10u], tree[slot][11u])), combine_1(combine_1(tree[slot][12u], tree[slot][13u]), combine_1(tree[slot][14u], tree[slot][15u]))));
    results[P.sum_1] = outcome;
  }
}
