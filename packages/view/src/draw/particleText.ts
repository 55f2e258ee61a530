import { MAP_COLORS, placedText, sceneText } from './sceneText.js';

const valueText = `
// The number of a particle that its color comes from.
fn valueOf(row: u32) -> f32 {
  if (S.field.z == 3u) {
    let p = placed(unpacked(positions[row])) + S.eye.xyz;
    return p[S.field.y];
  }
  let word = field[row * S.field.x + S.field.y];
  if (S.field.z == 1u) { return f32(word); }
  if (S.field.z == 2u) { return f32(bitcast<i32>(word)); }
  return bitcast<f32>(word);
}
// Floats as words in the same order.
fn ordered(v: f32) -> u32 {
  let word = bitcast<u32>(v);
  return select(word | 0x80000000u, ~word, (word & 0x80000000u) != 0u);
}
fn number(word: u32) -> f32 {
  return bitcast<f32>(select(~word, word & 0x7fffffffu, (word & 0x80000000u) != 0u));
}
`;

const buffers = `
@group(0) @binding(1) var<storage, read> positions: array<vec4u>;
@group(0) @binding(2) var<storage, read> strain: array<vec2f>;
@group(0) @binding(3) var<storage, read> field: array<u32>;`;

/** The least and the greatest number, in `range` as ~least and greatest of `ordered`. */
export const rangeText = `${sceneText}
${buffers}
@group(0) @binding(4) var<storage, read_write> range: array<atomic<u32>>;
${placedText}
${valueText}
var<workgroup> bounds: array<vec2u, 256>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u,
        @builtin(local_invocation_index) lane: u32) {
  var bound = vec2u(0u);
  for (var row = id.x; row < S.size.w; row += groups.x * 256u) {
    let v = valueOf(row);
    if (abs(v) < 3e38) { bound = max(bound, vec2u(~ordered(v), ordered(v))); }
  }
  bounds[lane] = bound;
  for (var half = 128u; half > 0u; half >>= 1u) {
    workgroupBarrier();
    if (lane < half) { bounds[lane] = max(bounds[lane], bounds[lane + half]); }
  }
  if (lane == 0u) {
    atomicMax(&range[0], bounds[0].x);
    atomicMax(&range[1], bounds[0].y);
  }
}`;

/** The color of each particle, a byte for red, green and blue. */
export const paintText = `${sceneText}
${buffers}
@group(0) @binding(4) var<storage, read> range: array<u32>;
@group(0) @binding(5) var<storage, read> types: array<u32>;
@group(0) @binding(6) var<storage, read> tables: array<vec4f>;
@group(0) @binding(7) var<storage, read_write> paint: array<u32>;
${placedText}
${valueText}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var row = id.x; row < S.size.w; row += groups.x * 256u) {
    var color = tables[${MAP_COLORS}u + types[row] % S.counts.z].rgb;
    if (S.field.w == 1u) {
      let least = number(~range[0]);
      let greatest = number(range[1]);
      let v = valueOf(row);
      let t = select(0.5, clamp((v - least) / (greatest - least), 0.0, 1.0), greatest > least);
      // Gray for what is no number.
      color = select(vec3f(0.6), tables[u32(t * ${MAP_COLORS - 1}.0 + 0.5)].rgb, v == v);
    }
    paint[row] = pack4x8unorm(vec4f(color, 1.0));
  }
}`;

/** What a click hits: owner, row, type, id, place and number. */
export const pickText = `${sceneText}
${buffers}
@group(0) @binding(4) var<storage, read> hits: array<u32>;
@group(0) @binding(5) var<storage, read> types: array<u32>;
@group(0) @binding(6) var<storage, read> ids: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> found: array<u32>;
${placedText}
${valueText}

@compute @workgroup_size(1)
fn main() {
  let pixel = found[1] * S.size.x + found[0];
  let owner = hits[S.size.x * S.size.y + pixel];
  found[2] = owner;
  if (owner == 0u || owner > 0x80000000u) { return; }
  let row = (owner - 1u) % S.size.w;
  let p = placed(unpacked(positions[row]) + shiftOf((owner - 1u) / S.size.w)) + S.eye.xyz;
  found[3] = types[row];
  found[4] = ids[row].x;
  found[5] = ids[row].y;
  for (var k = 0u; k < 3u; k++) { found[6u + k] = bitcast<u32>(p[k]); }
  found[9] = bitcast<u32>(valueOf(row));
}`;

/** The row of each id, for bonds. */
export const rowsText = `${sceneText}
@group(0) @binding(1) var<storage, read> ids: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> rows: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var row = id.x; row < S.size.w; row += groups.x * 256u) {
    if (ids[row].y == 0u && ids[row].x < arrayLength(&rows)) { rows[ids[row].x] = row + 1u; }
  }
}`;

/** Two halves of each bond and image, each from a particle to the middle on the way to the nearest image of the other. */
export const bondsText = `${sceneText}
@group(0) @binding(1) var<storage, read> positions: array<vec4u>;
@group(0) @binding(2) var<storage, read> strain: array<vec2f>;
@group(0) @binding(3) var<storage, read> bonds: array<vec2u>;
@group(0) @binding(4) var<storage, read> rows: array<u32>;
@group(0) @binding(5) var<storage, read_write> segments: array<vec4f>;
${placedText}
fn nearest(d: vec3f) -> vec3f {
  var s = vec3f(dot(d, S.inverse[0].xyz), dot(d, S.inverse[1].xyz), dot(d, S.inverse[2].xyz));
  let periodic = (vec3u(S.counts.w) >> vec3u(0u, 1u, 2u)) & vec3u(1u);
  s = round(s) * vec3f(periodic);
  return d - s.x * S.boxA.xyz - s.y * S.boxB.xyz - s.z * S.boxC.xyz;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var k = id.x; k < 2u * S.counts.y * S.images.w; k += groups.x * 64u) {
    let half = k / S.images.w;
    var ends = bonds[half / 2u];
    if (half % 2u == 1u) { ends = ends.yx; }
    let i = rows[ends.x];
    let j = rows[ends.y];
    var radius = S.look.z;
    var a = vec3f(0.0);
    var b = vec3f(0.0);
    if (i == 0u || j == 0u) { radius = 0.0; } else {
      a = unpacked(positions[i - 1u]);
      let d = nearest(unpacked(positions[j - 1u]) - a);
      let shift = shiftOf(k % S.images.w);
      a += shift;
      b = a + 0.5 * d;
      if (isCut(placed(a)) || isCut(placed(a + d))) { radius = 0.0; }
    }
    segments[2u * k] = vec4f(a, radius);
    segments[2u * k + 1u] = vec4f(b, bitcast<f32>(i + 0x40000000u)); // no denormal number, which devices may drop
  }
}`;
