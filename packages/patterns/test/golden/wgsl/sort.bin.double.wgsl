// sort: bin
//
// First step of a sort, one thread a particle.
//   cell      of the particle in the new frame; its position becomes relative to it
//   count     particles of each cell and each tile of cells; those of one cell form a chain

struct Params {
  oldRestA: vec4f,
  oldRestB: vec4f,
  oldRestC: vec4f,
  newRestA: vec4f,
  newRestB: vec4f,
  newRestC: vec4f,
  shiftLow: vec4f,
  dims: vec4i, // cells along x, y and z
  periodic: vec4i, // 1 along periodic axes
  inverseX: vec4f, // position in cells = vector · inverse
  inverseY: vec4f,
  inverseZ: vec4f,
  highA: vec4f, // edges in two parts, so that their multiples are exact
  highB: vec4f,
  highC: vec4f,
  lowA: vec4f,
  lowB: vec4f,
  lowC: vec4f,
  toOld: vec4f, // from the frame before to this one
  oldHighA: vec4f, // edges of the frame before
  oldHighB: vec4f,
  oldHighC: vec4f,
  oldLowA: vec4f,
  oldLowB: vec4f,
  oldLowC: vec4f,
  shift: vec4f, // between the first cells of both frames
  last: u32, // where the scratch has the particle that came last to each cell
  earlier: u32, // where it has the one before each particle in its cell
  counts: u32, // where it has the number of particles of each cell
  totals: u32, // the same of each tile of cells
  tileBits: u32, // a tile has 2^tileBits cells
  count: u32, // particles
  same: u32, // 1 if the frame stays
  one: f32, // 1, read at run time: compilers must not rearrange sums
}
@group(0) @binding(3) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> position: array<vec4u>; // relative position and packed cell of each row
@group(0) @binding(1) var<storage, read_write> scratch: array<atomic<u32>>; // counts, totals and chains of cells during a sort
@group(0) @binding(2) var<storage, read_write> low: array<vec4f>;

fn ds_sum(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  let t = fma(s, P.one, -a);
  return vec2f(s, fma(fma(a, P.one, -fma(s, P.one, -t)), P.one, fma(b, P.one, -t)));
}
fn ds_sub(x: vec2f, y: vec2f) -> vec2f { return ds_add(x, -y); }
fn ds_add(x: vec2f, y: vec2f) -> vec2f {
  let s = ds_sum(x.x, y.x);
  let t = ds_sum(x.y, y.y);
  let v = ds_fast(s.x, fma(s.y, P.one, t.x));
  return ds_fast(v.x, fma(t.y, P.one, v.y));
}
fn ds_fast(a: f32, b: f32) -> vec2f {
  let s = fma(a, P.one, b);
  return vec2f(s, fma(b, P.one, -fma(s, P.one, -a)));
}
fn ds_product(a: f32, b: f32) -> vec2f {
  let p = a * b;
  return vec2f(p, fma(a, b, -p));
}
fn ds_add_f32(x: vec2f, y: f32) -> vec2f {
  let s = ds_sum(x.x, y);
  return ds_fast(s.x, fma(x.y, P.one, s.y));
}

// Cell of a particle, ten bits an axis.
fn unpackCell(w: u32) -> vec3i {
  return vec3i(i32(w & 1023u), i32((w >> 10u) & 1023u), i32((w >> 20u) & 1023u));
}
// Packs such a cell.
fn packCell(c: vec3i) -> u32 {
  return u32(c.x) | (u32(c.y) << 10u) | (u32(c.z) << 20u);
}
// Number of a cell, x first.
fn linearCell(c: vec3i) -> u32 {
  return u32((c.z * P.dims.y + c.y) * P.dims.x + c.x);
}
// Vector from the center of its cell to a particle.
fn relative(row: vec4u) -> vec3f {
  return bitcast<vec3f>(row.xyz);
}

// The tile of the first thread, and particles in it and in tiles near it.
var<workgroup> firstTile: u32;
var<workgroup> inTiles: array<atomic<u32>, 4>;
// Counts particles of tiles of cells: those near the tile of the first thread in the workgroup, others at once.
fn addToTile(lane: u32, counts: bool, at: u32) {
  let tile = at >> P.tileBits;
  if (lane == 0u) { firstTile = tile; }
  workgroupBarrier();
  let near = tile + 1u - firstTile;
  if (counts && near < 4u) { atomicAdd(&inTiles[near], 1u); }
  else if (counts) { atomicAdd(&scratch[P.totals + tile], 1u); }
  workgroupBarrier();
  if (lane >= 4u) { return; }
  let sum = atomicLoad(&inTiles[lane]);
  if (sum > 0u) { atomicAdd(&scratch[P.totals + firstTile + lane - 1u], sum); }
}
// Vector in units of cells.
fn inCells(x: vec3f) -> vec3f {
  return vec3f(dot(x, P.inverseX.xyz), dot(x, P.inverseY.xyz), dot(x, P.inverseZ.xyz));
}
// Whole cells of such a vector.
fn cellsOf(u: vec3f) -> vec3i {
  return vec3i(floor(clamp(u, vec3f(-1e6), vec3f(1e6))));
}
// Cell of a particle from the vector to the center of its old cell, where the frame stays.
fn cellInFrame(x: vec3f, old: vec3i) -> vec3i {
  return old + cellsOf(inCells(x) + 0.5);
}
fn along(c: f32, high: f32, mid: f32, rest: f32, n: f32, newHigh: f32, newMid: f32, newRest: f32) -> vec2f {
  let h = ds_sum(c * high, -(n * newHigh));
  let m = ds_sub(ds_product(c, mid), ds_product(n, newMid));
  return ds_add_f32(ds_add(h, m), c * rest - n * newRest);
}
// Cell of a particle in the new frame, from the vector to the center of its old cell.
fn cellInNew(x: vec3f, old: vec3i) -> vec3i {
  if (P.same == 1u) { return cellInFrame(x, old); }
  let o = vec3f(old);
  return cellsOf(inCells(x + P.toOld.xyz + o.x * (P.oldHighA.xyz + P.oldLowA.xyz)
        + o.y * (P.oldHighB.xyz + P.oldLowB.xyz) + o.z * (P.oldHighC.xyz + P.oldLowC.xyz)));
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  var linear = 0u;
  if (index < P.count) {
    var row = position[index];
    // Cell of the particle; its position becomes relative to that; it joins the cell's chain.
    {
      var x = relative(row);
      let old = unpackCell(row.w);
      let dims = P.dims.xyz;
      var cell = cellInNew(x, old);
      cell = select(clamp(cell, vec3i(0), dims - 1), cell, P.periodic.xyz != vec3i(0));
      let a = vec3f(old) + 0.5;
      let b = vec3f(cell) + 0.5;

      let before = low[index];
      let moved_x = ds_add(vec2f(x.x, before.x), ds_add(ds_add(ds_add(along(a.x, P.oldHighA.x, P.oldLowA.x, P.oldRestA.x, b.x, P.highA.x, P.lowA.x, P.newRestA.x), along(a.y, P.oldHighB.x, P.oldLowB.x, P.oldRestB.x, b.y, P.highB.x, P.lowB.x, P.newRestB.x)), along(a.z, P.oldHighC.x, P.oldLowC.x, P.oldRestC.x, b.z, P.highC.x, P.lowC.x, P.newRestC.x)), vec2f(P.shift.x, P.shiftLow.x)));
      let moved_y = ds_add(vec2f(x.y, before.y), ds_add(ds_add(ds_add(along(a.x, P.oldHighA.y, P.oldLowA.y, P.oldRestA.y, b.x, P.highA.y, P.lowA.y, P.newRestA.y), along(a.y, P.oldHighB.y, P.oldLowB.y, P.oldRestB.y, b.y, P.highB.y, P.lowB.y, P.newRestB.y)), along(a.z, P.oldHighC.y, P.oldLowC.y, P.oldRestC.y, b.z, P.highC.y, P.lowC.y, P.newRestC.y)), vec2f(P.shift.y, P.shiftLow.y)));
      let moved_z = ds_add(vec2f(x.z, before.z), ds_add(ds_add(ds_add(along(a.x, P.oldHighA.z, P.oldLowA.z, P.oldRestA.z, b.x, P.highA.z, P.lowA.z, P.newRestA.z), along(a.y, P.oldHighB.z, P.oldLowB.z, P.oldRestB.z, b.y, P.highB.z, P.lowB.z, P.newRestB.z)), along(a.z, P.oldHighC.z, P.oldLowC.z, P.oldRestC.z, b.z, P.highC.z, P.lowC.z, P.newRestC.z)), vec2f(P.shift.z, P.shiftLow.z)));
      x = vec3f(moved_x.x, moved_y.x, moved_z.x);
      low[index] = vec4f(moved_x.y, moved_y.y, moved_z.y, 0.0);
      cell = (cell % dims + dims) % dims;
      row = vec4u(bitcast<vec3u>(x), packCell(cell));
      linear = linearCell(cell);
      atomicAdd(&scratch[P.counts + linear], 1u);
      atomicStore(&scratch[P.earlier + index], atomicExchange(&scratch[P.last + linear], index));
    }
    position[index] = row;
  }
  addToTile(lane, index < P.count, linear);
}
