// combine + control
//
// One workgroup combines the partial results of all others, in a fixed order.
// One thread computes values of the context from others: control.

struct Params {
  v0_p_target: f32, // p.target of control
  groups: u32, // workgroups of the whole call
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(2) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> partials: array<vec2u>; // partial results, one a workgroup
@group(0) @binding(1) var<storage, read_write> values: array<vec2f>;

var<workgroup> tree: array<array<vec2u, 256>, 2>;

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

var<workgroup> found: array<vec2u, 2>;

// Value functor control.
struct functor_control_v0_i { energy_: f32, scale_: f32 }

fn functor_control_v0(i: ptr<function, functor_control_v0_i>) {
  (*i).scale_ = sqrt((P.v0_p_target / (*i).energy_));
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  // Values that functors compute with.
  var value_0 = f32(); var value_1 = f32(); var value_2 = f32();
  if (lane == 0u) {
    value_2 = values[2u].x;
  }
  // Combine a few partial results.
  let last = P.groups - 1u;
  let first = lane * 4u;
  let part_0_0 = select(vec2u(0u), partials[min(first, last)], first <= last);
  let part_0_1 = select(vec2u(0u), partials[min(first + 1u, last)], first + 1u <= last);
  let part_0_2 = select(vec2u(0u), partials[min(first + 2u, last)], first + 2u <= last);
  let part_0_3 = select(vec2u(0u), partials[min(first + 3u, last)], first + 3u <= last);
  let part_1_0 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[P.groups + min(first, last)], first <= last);
  let part_1_1 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[P.groups + min(first + 1u, last)], first + 1u <= last);
  let part_1_2 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[P.groups + min(first + 2u, last)], first + 2u <= last);
  let part_1_3 = select(vec2u(bitcast<u32>(bitcast<f32>(0xff7fffffu)), 0u), partials[P.groups + min(first + 3u, last)], first + 3u <= last);
  let own_0 = addReals4(part_0_0, part_0_1, part_0_2, part_0_3);
  let own_1 = maxReals4(part_1_0, part_1_1, part_1_2, part_1_3);
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
    tree[slot][node] = addReals4(
      addReals4(tree[slot][node], tree[slot][node + 16u], tree[slot][node + 32u], tree[slot][node + 48u]),
      addReals4(tree[slot][node + 64u], tree[slot][node + 80u], tree[slot][node + 96u], tree[slot][node + 112u]),
      addReals4(tree[slot][node + 128u], tree[slot][node + 144u], tree[slot][node + 160u], tree[slot][node + 176u]),
      addReals4(tree[slot][node + 192u], tree[slot][node + 208u], tree[slot][node + 224u], tree[slot][node + 240u])
    );
  }
  if (lane < 16u) {
    let slot = 1u;
    let node = lane;
    tree[slot][node] = maxReals4(
      maxReals4(tree[slot][node], tree[slot][node + 16u], tree[slot][node + 32u], tree[slot][node + 48u]),
      maxReals4(tree[slot][node + 64u], tree[slot][node + 80u], tree[slot][node + 96u], tree[slot][node + 112u]),
      maxReals4(tree[slot][node + 128u], tree[slot][node + 144u], tree[slot][node + 160u], tree[slot][node + 176u]),
      maxReals4(tree[slot][node + 192u], tree[slot][node + 208u], tree[slot][node + 224u], tree[slot][node + 240u])
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
    found[0] = outcome;
  }
  if (lane < 1u) {
    let slot = 1u;
    let outcome = maxReals4(
      maxReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]),
      maxReals4(tree[slot][4u], tree[slot][5u], tree[slot][6u], tree[slot][7u]),
      maxReals4(tree[slot][8u], tree[slot][9u], tree[slot][10u], tree[slot][11u]),
      maxReals4(tree[slot][12u], tree[slot][13u], tree[slot][14u], tree[slot][15u])
    );
    found[1] = outcome;
  }
  workgroupBarrier();
  if (lane == 0u) {
    value_0 = bitcast<f32>(found[0].x);
    value_1 = bitcast<f32>(found[1].x);
    // control
    {
      var i = functor_control_v0_i();
      i.energy_ = value_0;
      i.scale_ = value_2;
      functor_control_v0(&i);
      value_2 = i.scale_;
    }
    values[0u] = bitcast<vec2f>(found[0]);
    values[1u] = bitcast<vec2f>(found[1]);
    values[2u] = vec2f(value_2, 0.0);
  }
}
