// all pairs: pack
//
// Packs the particles of a set, in units of the box; one thread a particle.

struct Params {
  wraps: vec4f,
  base: vec4u,
  start: vec4f,
  low0: vec4u,
  high0: vec4u,
  along0: vec4f,
  span0: vec4f,
  low1: vec4u,
  high1: vec4u,
  along1: vec4f,
  span1: vec4f,
  low2: vec4u,
  high2: vec4u,
  along2: vec4f,
  span2: vec4f,
  count: u32, // particles
  padded: u32,
  version: u32,
}
@group(0) @binding(4) var<uniform> P: Params;

@group(0) @binding(0) var<storage, read> b_position: array<vec4u>;
@group(0) @binding(1) var<storage, read> rows: array<u32>; // rows that take part
@group(0) @binding(2) var<storage, read_write> packed: array<vec4u>;
@group(0) @binding(3) var<storage, read_write> fault: array<u32>; // the first write outside an array

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group3: vec3u, @builtin(num_workgroups) groups3: vec3u, @builtin(local_invocation_index) lane: u32) {
  let group = group3.x + group3.y * groups3.x;
  let index = group * 256u + lane;

  if (index >= P.padded) { return; }
  if (index >= P.count) { packed[index] = vec4u(0u, 0u, 0u, 4294967295u); return; }
  let row = rows[index];
  if (row == 4294967295u) {
    fault[0] = P.version;
    packed[index] = vec4u(0u, 0u, 0u, row);
    return;
  }
  let place = b_position[row];
  let cell = vec3u(place.w & 1023u, (place.w >> 10u) & 1023u, (place.w >> 20u) & 1023u);
  let x = bitcast<vec3f>(place.xyz);
  var turns = x.x * P.along0.xyz + x.y * P.along1.xyz + x.z * P.along2.xyz;
  let c = vec3f(cell);
  let far = turns + P.start.xyz + c.x * P.span0.xyz + c.y * P.span1.xyz + c.z * P.span2.xyz;
  let inside = (abs(far) < vec3f(0.2)) | ((P.wraps.xyz > vec3f(0.5)) & (abs(far) < vec3f(1e6)));
  if (!all(inside)) { fault[0] = P.version; }
  turns -= round(turns);
  var u = P.base.xyz + bitcast<vec3u>(vec3i(turns * 4294967296.0));
  u += cell.x * P.high0.xyz + ((cell.x * P.low0.xyz) >> vec3u(22u));
  u += cell.y * P.high1.xyz + ((cell.y * P.low1.xyz) >> vec3u(22u));
  u += cell.z * P.high2.xyz + ((cell.z * P.low2.xyz) >> vec3u(22u));
  packed[index] = vec4u(u, row);
}
