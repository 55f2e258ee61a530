// attract: combine
//
// One workgroup combines the partial results of all others, in a fixed order.

struct Params {
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
  sum_0: u32, // where the result goes
}
@group(0) @binding(2) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> partials: array<vec2u>; // partial results, one a workgroup
@group(0) @binding(1) var<storage, read_write> results: array<vec2u>; // results that go to the host

var<workgroup> tree: array<array<vec2u, 256>, 1>;

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

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  // Combine a few partial results.
  let last = P.groups - 1u;
  let first = lane * 4u;
  let part_0_0 = select(vec2u(0u), partials[min(first, last)], first <= last);
  let part_0_1 = select(vec2u(0u), partials[min(first + 1u, last)], first + 1u <= last);
  let part_0_2 = select(vec2u(0u), partials[min(first + 2u, last)], first + 2u <= last);
  let part_0_3 = select(vec2u(0u), partials[min(first + 3u, last)], first + 3u <= last);
  let own_0 = addReals4(part_0_0, part_0_1, part_0_2, part_0_3);
  // Combine the threads of the workgroup in a tree, and store one result.
  {
    let leaf = (lane & 15u) * 16u + (lane >> 4u);
    tree[0][leaf] = own_0;
  }
  workgroupBarrier();
  if (lane < 16u) {
    let slot = 0u;
    let node = lane;
    tree[slot][node] = addReals4(
      addReals4(tree[slot][node], tree[slot][node + 16u], tree[slot][node + 32u], tree[slot][node + 48u]),
      addReals4(tree[slot][node + 64u], tree[slot][node + 80u], tree[slot][node + 96u], tree[slot][node + 112u]),
      addReals4(tree[slot][node + 128u], tree[slot][node + 144u], tree[slot][node + 160u], tree[slot][node + 176u]),
      addReals4(tree[slot][node + 192u], tree[slot][node + 208u], tree[slot][node + 224u], tree[slot][node + 240u])
    );
  }
  workgroupBarrier();
  if (lane < 1u) {
    let slot = 0u;
    let outcome = addReals4(
      addReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]),
      addReals4(tree[slot][4u], tree[slot][5u], tree[slot][6u], tree[slot][7u]),
      addReals4(tree[slot][8u], tree[slot][9u], tree[slot][10u], tree[slot][11u]),
      addReals4(tree[slot][12u], tree[slot][13u], tree[slot][14u], tree[slot][15u])
    );
    results[P.sum_0] = outcome;
  }
}
