import { hitText, placedText, SEGMENT, sceneText } from './sceneText.js';

/** Threads of a workgroup, and bodies that it takes at most. */
export const LANES = 64;

/** Radius of a line at least, in pixels: wherever it runs, it covers the middle of one in each row or column. */
const THINNEST = 0.75;

/**
 * A kernel that draws bodies. A workgroup takes some of them, finds the rectangles of their pixels, and goes through all
 * pixels of all rectangles, one a thread: so small and large bodies cost what they cover.
 *
 *   turn 1   the nearest depth of each pixel
 *   turn 2   the owner of that depth: the last of them, which makes pictures repeat to the bit
 *
 * @param load WGSL that fills a body from its number, or says that it is not seen.
 */
function rasterText(buffers: string, load: string, hit: string, flag: number): string {
  return `${sceneText}
struct Turn { second: u32, batch: u32, bodies: u32, wide: u32 }
// Ends of a segment in the view of the camera, with the radius; a sphere has one.
struct Body { a: vec4f, b: vec4f }
@group(0) @binding(1) var<uniform> T: Turn;
@group(0) @binding(2) var<storage, read_write> hits: array<atomic<u32>>;
@group(0) @binding(3) var<storage, read> strain: array<vec2f>;
${buffers}
${placedText}
${hitText}
var<workgroup> ends: array<u32, ${LANES}>;
var<workgroup> bodies: array<Body, ${LANES}>;
var<workgroup> places: array<vec4u, ${LANES}>;

// Where a sphere begins and ends along one axis of the picture; 0 is the middle and 1 the edge.
fn extent(c: f32, z: f32, r: f32, half: f32) -> vec2f {
  if (S.eye.w == 0.0) { return vec2f(c - r, c + r) / half; }
  let k = z * z - r * r;
  let root = r * sqrt(c * c + k);
  return vec2f(c * z - root, c * z + root) / (k * half);
}
fn pixels(e: vec2f, size: u32) -> vec2u {
  let p = (e * 0.5 + 0.5) * f32(size) - 0.5;
  let first = clamp(ceil(p.x - 0.01), 0.0, f32(size));
  let last = clamp(floor(p.y + 0.01), -1.0, f32(size) - 1.0);
  return vec2u(u32(first), u32(max(0.0, last - first + 1.0)));
}
// First column, first row, columns, rows.
fn rectangleOf(body: Body) -> vec4u {
  let xa = extent(body.a.x, body.a.z, body.a.w, S.right.w);
  let xb = extent(body.b.x, body.b.z, body.a.w, S.right.w);
  let ya = extent(-body.a.y, body.a.z, body.a.w, S.up.w);
  let yb = extent(-body.b.y, body.b.z, body.a.w, S.up.w);
  let x = pixels(vec2f(min(xa.x, xb.x), max(xa.y, xb.y)), S.size.x);
  let y = pixels(vec2f(min(ya.x, yb.x), max(ya.y, yb.y)), S.size.y);
  return vec4u(x.x, y.x, x.y, y.y);
}
${load}

@compute @workgroup_size(${LANES})
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let item = (group.y * T.wide + group.x) * T.batch + lane;
  var count = 0u;
  if (lane < T.batch && item < T.bodies) {
    var body: Body;
    let isSeen = load(item, &body) && min(body.a.z, body.b.z) > 1.001 * body.a.w;
    if (isSeen) {
      let rectangle = rectangleOf(body);
      count = rectangle.z * rectangle.w;
      bodies[lane] = body;
      places[lane] = vec4u(rectangle.xyz, item);
    }
  }
  ends[lane] = select(0xffffffffu, count, lane < T.batch);
  workgroupBarrier();
  for (var reach = 1u; reach < T.batch; reach <<= 1u) {
    var sum = ends[lane];
    if (lane >= reach && lane < T.batch) { sum += ends[lane - reach]; }
    workgroupBarrier();
    ends[lane] = sum;
    workgroupBarrier();
  }
  let all = ends[T.batch - 1u];
  for (var k = lane; k < all; k += ${LANES}u) {
    var at = 0u;
    for (var half = ${LANES / 2}u; half > 0u; half >>= 1u) {
      if (ends[at + half - 1u] <= k) { at += half; }
    }
    let rectangle = places[at];
    var n = k;
    if (at > 0u) { n -= ends[at - 1u]; }
    let x = rectangle.x + n % rectangle.z;
    let y = rectangle.y + n / rectangle.z;
    let body = bodies[at];
    let z = ${hit};
    if (z <= 0.0) { continue; }
    let nearness = ~bitcast<u32>(z);
    let pixel = y * S.size.x + x;
    let nearest = atomicLoad(&hits[pixel]);
    if (T.second == 0u) {
      if (nearness > nearest) { atomicMax(&hits[pixel], nearness); }
    } else if (nearness == nearest) {
      atomicMax(&hits[S.size.x * S.size.y + pixel], rectangle.w + ${flag + 1}u);
    }
  }
}`;
}

/** Particles and their images. */
export const spheresText = rasterText(
  `
@group(0) @binding(4) var<storage, read> positions: array<vec4u>;
@group(0) @binding(5) var<storage, read> types: array<u32>;
@group(0) @binding(6) var<storage, read> tables: array<vec4f>;`,
  `
fn load(item: u32, body: ptr<function, Body>) -> bool {
  let row = item % S.size.w;
  let p = placed(unpacked(positions[row]) + shiftOf(item / S.size.w));
  let radius = tables[256u + types[row] % S.counts.z].w;
  (*body).a = vec4f(toCamera(p), radius);
  (*body).b = (*body).a;
  return radius > 0.0 && !isCut(p);
}`,
  'hitSphere(rayOf(x, y), body.a.xyz, body.a.w)',
  0,
);

/** Halves of bonds, and edges of the box. */
export const segmentsText = rasterText(
  `
@group(0) @binding(4) var<storage, read> segments: array<vec4f>;`,
  `
fn load(item: u32, body: ptr<function, Body>) -> bool {
  let a = segments[2u * item];
  let b = segments[2u * item + 1u];
  let p = toCamera(placed(a.xyz));
  let q = toCamera(placed(b.xyz));
  // A line that is thinner than a pixel would have gaps.
  let depth = select(1.0, max(p.z, q.z), S.eye.w > 0.0);
  let radius = max(a.w, ${THINNEST} * 2.0 * S.up.w * depth / f32(S.size.y));
  (*body).a = vec4f(p, radius);
  (*body).b = vec4f(q, radius);
  return a.w > 0.0;
}`,
  'hitSegment(rayOf(x, y), body.a.xyz, body.b.xyz, body.a.w)',
  SEGMENT,
);
