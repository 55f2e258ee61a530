// attract: sums
//
// Adds up the parts of each central particle, in a fixed order, and stores them in its row.

struct Params {
  centralCount: u32,
  splits: u32,
  nan: u32,
  version: u32,
}
@group(0) @binding(4) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read_write> b_force: array<vec4f>; // fx fy fz ep
@group(0) @binding(1) var<storage, read> centrals: array<vec4u>;
@group(0) @binding(2) var<storage, read> partial: array<f32>;
@group(0) @binding(3) var<storage, read> fault: array<u32>; // the first write outside an array

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 64u + lane;

  if (index >= P.centralCount) { return; }
  let broken = fault[0] == P.version;
  let row = centrals[index].w;
  var out_force = b_force[row];
  var sum_0 = 0.0;
  for (var split = 0u; split < P.splits; split++) {
    sum_0 += partial[(split * 4u + 0u) * P.centralCount + index];
  }
  out_force.x = out_force.x + select(sum_0, bitcast<f32>(P.nan), broken);
  var sum_1 = 0.0;
  for (var split = 0u; split < P.splits; split++) {
    sum_1 += partial[(split * 4u + 1u) * P.centralCount + index];
  }
  out_force.y = out_force.y + select(sum_1, bitcast<f32>(P.nan), broken);
  var sum_2 = 0.0;
  for (var split = 0u; split < P.splits; split++) {
    sum_2 += partial[(split * 4u + 2u) * P.centralCount + index];
  }
  out_force.z = out_force.z + select(sum_2, bitcast<f32>(P.nan), broken);
  var sum_3 = 0.0;
  for (var split = 0u; split < P.splits; split++) {
    sum_3 += partial[(split * 4u + 3u) * P.centralCount + index];
  }
  out_force.w = out_force.w + select(sum_3, bitcast<f32>(P.nan), broken);
  b_force[row] = out_force;
}
