// attract
//
// Calls pair functor 'attract' for all pairs of two sets within the cutoff, without lists.
//   tile      a workgroup loads packed neighbors, which all its lanes look at
//   near      distance to the nearest image; most pairs end here
//   call      the functor for those within the cutoff
//   store     sums of this part of the neighbors; another kernel adds up the parts

struct Params {
  e0: vec4f,
  e1: vec4f,
  e2: vec4f,
  inner2: f32,
  centralCount: u32,
  centralPadded: u32,
  otherCount: u32,
  otherPadded: u32,
  centralGroups: u32,
  tiles: u32,
  tilesPerSplit: u32,
  oneSet: u32,
  groups: u32, // workgroups of the whole call
  firstGroup: u32, // number of the first workgroup
  nan: u32,
  version: u32,
  one: f32, // 1, read at run time: compilers must not rearrange sums
  rcut2: f32, // square of the cutoff
  p_epsilon: f32, // p.epsilon
  p_sigma2: f32, // p.sigma2
}
@group(0) @binding(5) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> centrals: array<vec4u>;
@group(0) @binding(1) var<storage, read> others: array<vec4u>;
@group(0) @binding(2) var<storage, read_write> partial: array<f32>;
@group(0) @binding(3) var<storage, read_write> partials: array<vec2u>; // partial results, one a workgroup
@group(0) @binding(4) var<storage, read> fault: array<u32>; // the first write outside an array

var<workgroup> tree: array<array<vec2u, 128>, 1>;

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

struct functor_attract_i { fx_: f32, fy_: f32, fz_: f32, ep_: f32 }
struct functor_attract_j { pad_: u32 }

fn functor_attract(i: ptr<function, functor_attract_i>, j: functor_attract_j, d: vec4f) {
  var inverse_0: f32 = (1.0f / d.w);
  var s2_1: f32 = (P.p_sigma2 * inverse_0);
  var s6_2: f32 = ((s2_1 * s2_1) * s2_1);
  var f_3: f32 = ((((24.0f * P.p_epsilon) * s6_2) * ((2.0f * s6_2) - 1.0f)) * inverse_0);
  (*i).fx_ += (f_3 * d.x);
  (*i).fy_ += (f_3 * d.y);
  (*i).fz_ += (f_3 * d.z);
  (*i).ep_ += (((2.0f * P.p_epsilon) * s6_2) * (s6_2 - 1.0f));
}

fn call(i: ptr<function, functor_attract_i>, d: vec4f, jrow: u32) {
  var j: functor_attract_j;
  functor_attract(i, j, d);
}

var<workgroup> tile: array<array<vec4u, 8>, 16>;

fn vectorOf(f: vec3f) -> vec3f { return f * vec3f(P.e0.x, P.e1.y, P.e2.z); }
fn difference(u: vec3u) -> vec3f { return vectorOf(vec3f(bitcast<vec3i>(u))); }
fn nearest(d: vec3f) -> vec3f { return d; }
fn interact(i: ptr<function, functor_attract_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  if (r2 < reach && other.w != own.w && other.w != 4294967295u) { call(i, vec4f(d, r2), other.w); }
}

fn interactWith(i: ptr<function, functor_attract_i>, own: vec4u, other: vec4u, reach: f32) {
  let d = nearest(difference(own.xyz - other.xyz));
  let r2 = dot(d, d);
  if (r2 < reach) { call(i, vec4f(d, r2), other.w); }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;

  let place = P.firstGroup + group;
  let own_group = place % P.centralGroups;
  let split = place / P.centralGroups;
  let own_index = own_group * 128u + lane;
  let live = own_index < P.centralCount;
  let k = min(own_index, P.centralCount - 1u);
  let own = centrals[k];
  var i: functor_attract_i;

  let reach = select(-1.0, P.rcut2, live);

  var sum_0 = 0.0; var sum_1 = 0.0; var sum_2 = 0.0; var sum_3 = 0.0;

  let last = min((split + 1u) * P.tilesPerSplit, P.tiles);
  for (var t = split * P.tilesPerSplit; t < last; t++) {
    workgroupBarrier();
    tile[lane / 8u][lane % 8u] = others[t * 128u + lane];
    workgroupBarrier();

    i.fx_ = 0.0; i.fy_ = 0.0; i.fz_ = 0.0; i.ep_ = 0.0;
    if (P.oneSet == 0u || t == own_group || t + 1u == P.tiles) {
      for (var n = 0u; n < 128u; n++) {
        interact(&i, own, tile[n / 8u][n % 8u], reach);
      }
    } else {
      for (var run = 0u; run < 16u; run++) {
        interactWith(&i, own, tile[run][0], reach);
        interactWith(&i, own, tile[run][1], reach);
        interactWith(&i, own, tile[run][2], reach);
        interactWith(&i, own, tile[run][3], reach);
        interactWith(&i, own, tile[run][4], reach);
        interactWith(&i, own, tile[run][5], reach);
        interactWith(&i, own, tile[run][6], reach);
        interactWith(&i, own, tile[run][7], reach);
      }
    }

    sum_0 += i.fx_; sum_1 += i.fy_; sum_2 += i.fz_; sum_3 += i.ep_;
  }
  if (live) { partial[(split * 4u + 0u) * P.centralCount + k] = sum_0; }
  if (live) { partial[(split * 4u + 1u) * P.centralCount + k] = sum_1; }
  if (live) { partial[(split * 4u + 2u) * P.centralCount + k] = sum_2; }
  if (live) { partial[(split * 4u + 3u) * P.centralCount + k] = sum_3; }
  let broken = select(0.0, bitcast<f32>(P.nan), fault[0] == P.version);
  var own_0 = vec2u(bitcast<u32>(select(0.0, sum_3, live) + broken), 0u);

  // Combine the threads of the workgroup in a tree, and store one result.
  {
    let leaf = (lane & 15u) * 8u + (lane >> 4u);
    tree[0][leaf] = own_0;
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
  workgroupBarrier();
  if (lane < 1u && place < P.groups) {
    let slot = 0u;
    let outcome = addReals(
      addReals4(tree[slot][0u], tree[slot][1u], tree[slot][2u], tree[slot][3u]),
      addReals4(tree[slot][4u], tree[slot][5u], tree[slot][6u], tree[slot][7u])
    );
    partials[place] = outcome;
  }
}
