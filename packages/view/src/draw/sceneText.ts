/** Colors of a map, before those of types in `tables`. */
export const MAP_COLORS = 256;
/** Planes that cut at most. */
export const MOST_PLANES = 6;
/** Set in the owner of a pixel that shows a segment. */
export const SEGMENT = 0x80000000;

/**
 * WGSL that all kernels share. Places are relative to the eye, so that single precision serves far from the origin:
 *
 *   row of a position ─unpacked─► place in the box that positions are of ─placed─► place ─toCamera─► right, up, depth
 *
 * A pixel has two words in `hits`: the depth as ~bits of a float, so that a greater word is nearer and 0 is nothing; and
 * `width · height` words later the owner plus one.
 */
export const sceneText = `
struct Scene {
  eye: vec4f,          // w: 1 for perspective
  right: vec4f,        // w: half the width at depth 1, or at any
  up: vec4f,           // w: half the height
  forward: vec4f,
  edgeA: vec4f, edgeB: vec4f, edgeC: vec4f,
  origin: vec4f,       // of cells, less the eye
  boxA: vec4f, boxB: vec4f, boxC: vec4f,
  inverse: array<vec4f, 3>,
  size: vec4u,         // width, height, samples a pixel along an axis, particles
  images: vec4u,       // along a, b, c, and all
  field: vec4u,        // words a row, component, what it holds, 0: colors of types
  counts: vec4u,       // planes, bonds, types, which axes are periodic
  look: vec4f,         // occlusion, its reach, radius of bonds, first place of the strain or -1
  background: vec4f,
  planes: array<vec4f, ${MOST_PLANES}>,
}
@group(0) @binding(0) var<uniform> S: Scene;

fn unpacked(row: vec4u) -> vec3f {
  let c = vec3f((vec3u(row.w) >> vec3u(0u, 10u, 20u)) & vec3u(1023u));
  return S.origin.xyz + c.x * S.edgeA.xyz + c.y * S.edgeB.xyz + c.z * S.edgeC.xyz + bitcast<vec3f>(row.xyz);
}
fn shiftOf(image: u32) -> vec3f {
  let k = vec3f(vec3u(image % S.images.x, (image / S.images.x) % S.images.y, image / (S.images.x * S.images.y)));
  return k.x * S.boxA.xyz + k.y * S.boxB.xyz + k.z * S.boxC.xyz;
}
fn toCamera(p: vec3f) -> vec3f {
  return vec3f(dot(p, S.right.xyz), dot(p, S.up.xyz), dot(p, S.forward.xyz));
}
fn isCut(p: vec3f) -> bool {
  for (var k = 0u; k < S.counts.x; k++) {
    if (dot(p, S.planes[k].xyz) < S.planes[k].w) { return true; }
  }
  return false;
}
// The ray of a pixel: where it crosses depth 1 with perspective, depth 0 without.
fn rayOf(x: u32, y: u32) -> vec2f {
  let s = (vec2f(f32(x), f32(y)) + 0.5) / vec2f(S.size.xy) * 2.0 - 1.0;
  return vec2f(s.x * S.right.w, -s.y * S.up.w);
}
// What a ray sees at a depth.
fn pointAt(ray: vec2f, z: f32) -> vec3f {
  return vec3f(select(ray, ray * z, S.eye.w > 0.0), z);
}
`;

/** Strained boxes; needs `strain: array<vec2f>`. */
export const placedText = `
fn placed(p: vec3f) -> vec3f {
  if (S.look.w < 0.0) { return p; }
  let k = u32(S.look.w);
  let r = p + S.eye.xyz;
  let x = dot(r, vec3f(strain[k].x, strain[k + 3u].x, strain[k + 4u].x)) + strain[k + 6u].x;
  let y = dot(r.yz, vec2f(strain[k + 1u].x, strain[k + 5u].x)) + strain[k + 7u].x;
  return p + vec3f(x, y, r.z * strain[k + 2u].x + strain[k + 8u].x);
}
`;

/** Depths at which a ray enters things; below 0 where it passes them by. */
export const hitText = `
fn hitSphere(ray: vec2f, c: vec3f, r: f32) -> f32 {
  if (S.eye.w > 0.0) {
    // From the point of the ray nearest to the center: no difference of large numbers.
    let d = vec3f(ray, 1.0);
    let a = dot(d, d);
    let t = dot(d, c) / a;
    let away = c - t * d;
    let h = r * r - dot(away, away);
    return select(-1.0, t - sqrt(max(h, 0.0) / a), h >= 0.0);
  }
  let away = ray - c.xy;
  let h = r * r - dot(away, away);
  return select(-1.0, c.z - sqrt(max(h, 0.0)), h >= 0.0);
}
// A cylinder with half spheres at its ends.
fn hitSegment(ray: vec2f, a: vec3f, b: vec3f, r: f32) -> f32 {
  let d = select(vec3f(0.0, 0.0, 1.0), vec3f(ray, 1.0), S.eye.w > 0.0);
  let dd = dot(d, d);
  let first = select(vec3f(ray, 0.0), vec3f(0.0), S.eye.w > 0.0);
  let t0 = dot(0.5 * (a + b) - first, d) / dd; // near the segment
  let o = first + t0 * d - a;
  let axis = b - a;
  let l2 = max(dot(axis, axis), 1e-20);
  let oa = dot(o, axis) / l2;
  let da = dot(d, axis) / l2;
  let oAcross = o - oa * axis;
  let dAcross = d - da * axis;
  let qa = dot(dAcross, dAcross);
  let qb = dot(oAcross, dAcross);
  let h = qb * qb - qa * (dot(oAcross, oAcross) - r * r);
  if (qa > 1e-12 * dd && h >= 0.0) {
    let t = (-qb - sqrt(h)) / qa;
    let s = oa + t * da;
    if (s >= 0.0 && s <= 1.0) { return first.z + t0 + t; }
  }
  let za = hitSphere(ray, a, r);
  let zb = hitSphere(ray, b, r);
  return select(max(za, zb), min(za, zb), za > 0.0 && zb > 0.0);
}
`;
