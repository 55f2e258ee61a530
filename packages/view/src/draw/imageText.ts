import { hitText, placedText, SEGMENT, sceneText } from './sceneText.js';

/** Neighbors of a pixel that ambient occlusion looks at. */
const LOOKS = 24;

/**
 * The color of each pixel: light from the upper left behind the camera, less where things nearby rise above the surface
 * (ambient occlusion in screen space, after McGuire and others, The Alchemy Screen-Space Ambient Obscurance Algorithm, 2011).
 */
export const shadeText = `${sceneText}
@group(0) @binding(1) var<storage, read> hits: array<u32>;
@group(0) @binding(2) var<storage, read> strain: array<vec2f>;
@group(0) @binding(3) var<storage, read> positions: array<vec4u>;
@group(0) @binding(4) var<storage, read> segments: array<vec4f>;
@group(0) @binding(5) var<storage, read> paint: array<u32>;
@group(0) @binding(6) var<storage, read_write> shaded: array<u32>;
${placedText}
${hitText}

fn seenAt(x: u32, y: u32) -> vec3f {
  let nearness = hits[y * S.size.x + x];
  return pointAt(rayOf(x, y), select(3e37, bitcast<f32>(~nearness), nearness != 0u));
}

fn occlusionOf(x: u32, y: u32, p: vec3f, normal: vec3f) -> f32 {
  if (S.look.x <= 0.0) { return 0.0; }
  let reach = S.look.y;
  let scale = select(1.0, 1.0 / p.z, S.eye.w > 0.0);
  let radius = clamp(reach * scale / S.up.w * 0.5 * f32(S.size.y), 2.0, 128.0);
  var sum = 0.0;
  for (var k = 0u; k < ${LOOKS}u; k++) {
    let angle = 2.3999632 * f32(k);
    let away = radius * sqrt((f32(k) + 0.5) / ${LOOKS}.0);
    let at = vec2i(round(vec2f(f32(x), f32(y)) + away * vec2f(cos(angle), sin(angle))));
    if (any(at < vec2i(0)) || any(at >= vec2i(S.size.xy))) { continue; }
    let v = seenAt(u32(at.x), u32(at.y)) - p;
    if (v.z > reach) { continue; }
    let d2 = dot(v, v) + 1e-12;
    sum += max(0.0, dot(v, normal) * inverseSqrt(d2) - 0.1) * 2.0 / (1.0 + d2 / (reach * reach));
  }
  return clamp(S.look.x * sum / ${LOOKS}.0 * 2.0, 0.0, 0.9);
}

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (any(id.xy >= S.size.xy)) { return; }
  let pixel = id.y * S.size.x + id.x;
  let owner = hits[S.size.x * S.size.y + pixel];
  if (owner == 0u) {
    shaded[pixel] = pack4x8unorm(vec4f(S.background.rgb, 1.0));
    return;
  }
  let p = seenAt(id.x, id.y);
  var middle: vec3f;
  var color = vec3f(0.25);
  if (owner > ${SEGMENT}u) {
    let k = owner - ${SEGMENT + 1}u;
    let a = toCamera(placed(segments[2u * k].xyz));
    let b = toCamera(placed(segments[2u * k + 1u].xyz));
    let axis = b - a;
    middle = a + clamp(dot(p - a, axis) / max(dot(axis, axis), 1e-20), 0.0, 1.0) * axis;
    let row = bitcast<u32>(segments[2u * k + 1u].w);
    if (row > 0u) { color = unpack4x8unorm(paint[row - 0x40000001u]).rgb; }
  } else {
    let row = (owner - 1u) % S.size.w;
    middle = toCamera(placed(unpacked(positions[row]) + shiftOf((owner - 1u) / S.size.w)));
    color = unpack4x8unorm(paint[row]).rgb;
  }
  let normal = normalize(p - middle);
  let light = normalize(vec3f(-0.4, 0.5, -0.8));
  let diffuse = max(dot(normal, light), 0.0);
  let glance = pow(max(dot(normal, normalize(light + vec3f(0.0, 0.0, -1.0))), 0.0), 40.0);
  let open = 1.0 - occlusionOf(id.x, id.y, p, normal);
  let seen = color * (0.4 + 0.65 * diffuse) * open + vec3f(0.12 * glance * open);
  shaded[pixel] = pack4x8unorm(vec4f(min(seen, vec3f(1.0)), 1.0));
}`;

/** Means of samples as pixels of the picture. */
export const resolveText = `${sceneText}
@group(0) @binding(1) var<storage, read> shaded: array<u32>;
@group(0) @binding(2) var<storage, read_write> picture: array<u32>;

@compute @workgroup_size(8, 8)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n = S.size.z;
  let size = S.size.xy / n;
  if (any(id.xy >= size)) { return; }
  var sum = vec4f(0.0);
  for (var y = 0u; y < n; y++) {
    for (var x = 0u; x < n; x++) { sum += unpack4x8unorm(shaded[(id.y * n + y) * S.size.x + id.x * n + x]); }
  }
  picture[id.y * size.x + id.x] = pack4x8unorm(sum / f32(n * n));
}`;

/** Puts a picture on a canvas, through one triangle. */
export const blitText = `${sceneText}
@group(0) @binding(1) var<storage, read> picture: array<u32>;

@vertex fn corner(@builtin(vertex_index) k: u32) -> @builtin(position) vec4f {
  return vec4f(f32(k & 1u) * 4.0 - 1.0, f32(k >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}
@fragment fn color(@builtin(position) at: vec4f) -> @location(0) vec4f {
  let width = S.size.x / S.size.z;
  return unpack4x8unorm(picture[u32(at.y) * width + u32(at.x)]);
}`;
