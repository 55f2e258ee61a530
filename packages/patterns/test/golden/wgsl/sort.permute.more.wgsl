// sort: permute more
//
// Moves more blocks by the rows that the first kernel noted.

struct Params {
  count: u32, // particles
  rows: u32, // particles and padding
  place: u32, // where it has the row that each particle comes from
}
@group(0) @binding(3) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> scratch: array<u32>; // counts, totals and chains of cells during a sort
@group(0) @binding(1) var<storage, read> before_0: array<f32>; // block 0 before the sort
@group(0) @binding(2) var<storage, read_write> after_0: array<f32>; // block 0 after the sort

@compute @workgroup_size(128)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 128u + lane;

  if (index >= P.rows) { return; }
  var old = index;
  if (index < P.count) { old = scratch[P.place + index]; }
  after_0[index] = before_0[old];
}
