// sort: bin
//
// First step of a sort, one thread a particle.
//   cell      of the particle in the new frame; its position becomes relative to it
//   count     particles of each cell and each tile of cells; those of one cell form a chain

struct Params {
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
}
@group(0) @binding(4) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> position_0: array<vec4u>; // relative position and packed cell of each row; rows from 0 on
@group(0) @binding(1) var<storage, read_write> position_1: array<vec4u>; // relative position and packed cell of each row; rows from 256 on
@group(0) @binding(2) var<storage, read_write> scratch_0: array<atomic<u32>>; // counts, totals and chains of cells during a sort; rows from 0 on
@group(0) @binding(3) var<storage, read_write> scratch_1: array<atomic<u32>>; // counts, totals and chains of cells during a sort; rows from 1024 on

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
  else if (counts) { scratch_atomicAdd(u32(P.totals + tile), 1u); }
  workgroupBarrier();
  if (lane >= 4u) { return; }
  let sum = atomicLoad(&inTiles[lane]);
  if (sum > 0u) { scratch_atomicAdd(u32(P.totals + firstTile + lane - 1u), sum); }
}
// Edges have 12 significant bits in their high part, so that a product with a cell number is exact, and so is the
// difference of two such products along one axis, because both centers are close to the particle.
fn alongAxis(c: f32, high: vec3f, low: vec3f, n: f32, newHigh: vec3f, newLow: vec3f) -> vec3f {
  return (c * high - n * newHigh) + (c * low - n * newLow);
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
// Cell of a particle in the new frame, from the vector to the center of its old cell.
fn cellInNew(x: vec3f, old: vec3i) -> vec3i {
  if (P.same == 1u) { return cellInFrame(x, old); }
  let o = vec3f(old);
  return cellsOf(inCells(x + P.toOld.xyz + o.x * (P.oldHighA.xyz + P.oldLowA.xyz)
        + o.y * (P.oldHighB.xyz + P.oldLowB.xyz) + o.z * (P.oldHighC.xyz + P.oldLowC.xyz)));
}
fn position_at(i: u32) -> vec4u {
  if (i < 256u) { return position_0[i]; } else { return position_1[i - 256u]; }
}
fn position_set(i: u32, value: vec4u) {
  if (i < 256u) { position_0[i] = value; } else { position_1[i - 256u] = value; }
}
fn scratch_atomicAdd(i: u32, value: u32) -> u32 {
  if (i < 1024u) { return atomicAdd(&scratch_0[i], value); } else { return atomicAdd(&scratch_1[i - 1024u], value); }
}
fn scratch_atomicStore(i: u32, value: u32) {
  if (i < 1024u) { atomicStore(&scratch_0[i], value); } else { atomicStore(&scratch_1[i - 1024u], value); }
}
fn scratch_atomicExchange(i: u32, value: u32) -> u32 {
  if (i < 1024u) { return atomicExchange(&scratch_0[i], value); } else { return atomicExchange(&scratch_1[i - 1024u], value); }
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  var linear = 0u;
  if (index < P.count) {
    var row = position_at(u32(index));
    // Cell of the particle; its position becomes relative to that; it joins the cell's chain.
    {
      var x = relative(row);
      let old = unpackCell(row.w);
      let dims = P.dims.xyz;
      var cell = cellInNew(x, old);
      cell = select(clamp(cell, vec3i(0), dims - 1), cell, P.periodic.xyz != vec3i(0));
      let a = vec3f(old) + 0.5;
      let b = vec3f(cell) + 0.5;
      x += alongAxis(a.x, P.oldHighA.xyz, P.oldLowA.xyz, b.x, P.highA.xyz, P.lowA.xyz)
        + alongAxis(a.y, P.oldHighB.xyz, P.oldLowB.xyz, b.y, P.highB.xyz, P.lowB.xyz)
        + alongAxis(a.z, P.oldHighC.xyz, P.oldLowC.xyz, b.z, P.highC.xyz, P.lowC.xyz)
        + P.shift.xyz;
      cell = (cell % dims + dims) % dims;
      row = vec4u(bitcast<vec3u>(x), packCell(cell));
      linear = linearCell(cell);
      scratch_atomicAdd(u32(P.counts + linear), 1u);
      scratch_atomicStore(u32(P.earlier + index), scratch_atomicExchange(u32(P.last + linear), index));
    }
    position_set(u32(index), row);
  }
  addToTile(lane, index < P.count, linear);
}
