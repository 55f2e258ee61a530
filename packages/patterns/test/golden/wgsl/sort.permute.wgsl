// sort: permute
//
// Second step of a sort: every block moves to the new order. A workgroup takes a tile of cells.
//   scan      counts of cells become first rows
//   walk      chains become lists of members, side by side
//   move      each member goes to its cell, there by old row: the order does not depend on atomics

struct Params {
  dims: vec4i, // cells along x, y and z
  last: u32, // where the scratch has the particle that came last to each cell
  cells: u32, // cells, and tiles of cells
  tiles: u32,
  counts: u32, // where it has the number of particles of each cell
  totals: u32, // the same of each tile of cells
  before: u32, // the same of the sort before, to be cleared
  used: u32, // how many there are of these
  count: u32, // particles
  rows: u32, // particles and padding
  earlier: u32, // where it has the one before each particle in its cell
  members: u32, // where it has the particles of each cell, side by side
  place: u32, // where it has the row that each particle comes from
}
@group(0) @binding(16) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> scratch: array<u32>; // counts, totals and chains of cells during a sort
@group(0) @binding(1) var<storage, read_write> start: array<u32>; // first row of each cell
@group(0) @binding(2) var<storage, read> before_0: array<vec4u>; // block 0 before the sort
@group(0) @binding(3) var<storage, read_write> after_0: array<vec4u>; // block 0 after the sort
@group(0) @binding(4) var<storage, read> before_1: array<vec4f>; // block 1 before the sort
@group(0) @binding(5) var<storage, read_write> after_1: array<vec4f>; // block 1 after the sort
@group(0) @binding(6) var<storage, read> before_2: array<vec4f>; // block 2 before the sort
@group(0) @binding(7) var<storage, read_write> after_2: array<vec4f>; // block 2 after the sort
@group(0) @binding(8) var<storage, read> before_3: array<u32>; // block 3 before the sort
@group(0) @binding(9) var<storage, read_write> after_3: array<u32>; // block 3 after the sort
@group(0) @binding(10) var<storage, read> before_4: array<f32>; // block 4 before the sort
@group(0) @binding(11) var<storage, read_write> after_4: array<f32>; // block 4 after the sort
@group(0) @binding(12) var<storage, read> before_5: array<f32>; // block 5 before the sort
@group(0) @binding(13) var<storage, read_write> after_5: array<f32>; // block 5 after the sort
@group(0) @binding(14) var<storage, read> before_6: array<vec2u>; // block 6 before the sort
@group(0) @binding(15) var<storage, read_write> after_6: array<vec2u>; // block 6 after the sort

// Cell of a particle, ten bits an axis.
fn unpackCell(w: u32) -> vec3i {
  return vec3i(i32(w & 1023u), i32((w >> 10u) & 1023u), i32((w >> 20u) & 1023u));
}
// Number of a cell, x first.
fn linearCell(c: vec3i) -> u32 {
  return u32((c.z * P.dims.y + c.y) * P.dims.x + c.x);
}

var<workgroup> rowsBefore: atomic<u32>;
var<workgroup> sums: array<u32, 256>;
// The first row of each cell of the tile, and the end of the last.
var<workgroup> firsts: array<u32, 129>;
// The sum of what all lanes before this one hold; in uniform control flow, once.
fn sumBefore(lane: u32, own: u32) -> u32 {
  // Alternates between two halves, so that no lane writes what others still read.
  var half = 0u;
  var sum = own;
  sums[lane] = sum;
  workgroupBarrier();
  for (var step = 0u; step < 7u; step++) {
    let reach = 1u << step;
    if (lane >= reach) { sum += sums[half + lane - reach]; }
    half ^= 128u;
    sums[half + lane] = sum;
    workgroupBarrier();
  }
  return sum - own;
}

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  // Scan: first rows of the cells of this tile. What the thread needs is under way while it adds up totals.
  let cell = index;
  let last_0 = scratch[P.last + cell];
  var count_0 = 0u;
  if (cell < P.cells) { count_0 = scratch[P.counts + cell]; }
  var part = 0u;
  var k = lane;
  for (var left = (max(min(group, P.tiles), k) - k + 127u) / 128u; left > 0u; left--) {
    part += scratch[P.totals + k];
    k += 128u;
  }
  // Rows before the tile, then rows before the thread's own cells.
  if (part != 0u) { atomicAdd(&rowsBefore, part); }
  let held = count_0;
  let first_0 = sumBefore(lane, held) + atomicLoad(&rowsBefore);
  let first_1 = first_0 + count_0;
  firsts[lane] = first_0;
  if (cell < P.cells) {
    start[cell] = first_0;
    scratch[P.counts + cell] = 0u;
  }
  if (lane == 127u) { firsts[128] = first_1; }
  if (group + 1u == P.tiles && lane == 127u) { start[P.cells] = first_1; }
  // Totals of the sort before are cleared.
  let threads = 128u * P.tiles;
  k = index;
  for (var left = (max(P.used, k) - k + threads - 1u) / threads; left > 0u; left--) {
    scratch[P.before + k] = 0u;
    k += threads;
  }
  // Walk the chains of the thread's own cells.
  var other_0 = last_0;
  var longest = 0u;
  longest = max(longest, count_0);
  for (var left = longest; left > 0u; left--) {
    if (left <= count_0) {
      scratch[P.members + first_1 - left] = other_0;
      other_0 = scratch[P.earlier + other_0];
    }
  }
  storageBarrier();
  workgroupBarrier();
  // Move: a thread takes a member of a cell and counts those from rows before its own.
  var row = firsts[0] + lane;
  let end = select(firsts[128], P.rows, group + 1u == P.tiles);
  for (var left = (max(end, row) - row + 127u) / 128u; left > 0u; left--) {
    var old = row;
    if (row < P.count) { old = scratch[P.members + row]; }
    // All rows are under way while the thread counts.
    let row_0 = before_0[old];
    let row_1 = before_1[old];
    let row_2 = before_2[old];
    let row_3 = before_3[old];
    let row_4 = before_4[old];
    let row_5 = before_5[old];
    let row_6 = before_6[old];
    var to = row;
    if (row < P.count) {
      let own = linearCell(unpackCell(row_0.w)) - group * 128u;
      to = firsts[own];
      var member = P.members + to;
      for (var others = firsts[own + 1u] - to; others > 0u; others--) {
        to += select(0u, 1u, scratch[member] < old);
        member++;
      }
    }
    after_0[to] = row_0;
    after_1[to] = row_1;
    after_2[to] = row_2;
    after_3[to] = row_3;
    after_4[to] = row_4;
    after_5[to] = row_5;
    after_6[to] = row_6;

    row += 128u;
  }
}
