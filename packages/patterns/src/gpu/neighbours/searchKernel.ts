import type { KernelSource } from '../device/GpuKernel.js';
import { cellVectorWgsl, cellWgsl, frameParams, imageWgsl } from '../wgsl/frameWgsl.js';
import { ROW_BITS } from './DeviceLists.js';

/** Particles that search together, one a thread. */
export const SEARCH_LANES = 32;
/** Candidates held at a time; a multiple of SEARCH_LANES. */
const TILE = 128;
/** Cells along x that particles of one search may span, so that single precision serves for all distances in it. */
const SPAN = 32;
/** Distances tested in a row. */
const UNROLL = 8;

/**
 * The search for neighbours of sorted particles. A workgroup takes 32 of them, neighbours in space because they are sorted,
 * and looks at every candidate once for all:
 *
 *   segment   particles in one row of cells along x, not too far apart; nearly always all 32
 *   runs      the rows of cells around it, as contiguous rows of particles; a row that crosses a periodic face is two
 *   tile      candidates one after the other, moved to their image and to the segment's origin, in workgroup memory
 *   test      each thread compares its particle with all of the tile: 32 distances give the bits of a word
 *   store     its bits become entries, four written together, in the order of the candidates
 *
 *   neighbour at cell c + o, wrapped by k boxes  ⇒  image −k is added to the central particle, d = x_i − x_j − o·edges
 *
 * With few cells along an axis the same cell comes up with several images; each is a pair of its own, told apart by its
 * image.
 */
export const searchKernel = (orthorhombic: boolean): KernelSource => ({
  label: 'neighbours: build lists',
  workgroupSize: SEARCH_LANES,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read' },
    { name: 'start', type: 'array<u32>', access: 'read' },
    { name: 'counts', type: 'array<u32>', access: 'read_write' },
    { name: 'entries', type: 'array<vec4u>', access: 'read_write' },
    { name: 'most', type: 'array<atomic<u32>>', access: 'read_write' },
  ],
  params: {
    ...frameParams,
    periodic: 'vec4i',
    reach: 'vec4i',
    radius2: 'f32',
    first: 'u32',
    end: 'u32',
    count: 'u32',
    capacity: 'u32',
    stride: 'u32',
    at: 'u32',
  },
  declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageWgsl}
const NONE = 0xffffffffu;
struct Run { offset: vec3f, image: u32, head: u32, before: u32, x: i32 }
var<workgroup> lines: array<u32, ${SEARCH_LANES}>;
var<workgroup> columns: array<i32, ${SEARCH_LANES}>;
var<workgroup> runs: array<Run, ${SEARCH_LANES}>;
var<workgroup> lengths: array<u32, ${SEARCH_LANES}>;
var<workgroup> tile: array<vec4u, ${TILE}>;
var<workgroup> shared_to: u32;
var<workgroup> shared_total: u32;
var<workgroup> longest: atomic<u32>;
fn inSegment(k: u32, line: u32, column: i32) -> bool {
  return lines[k] == line && columns[k] - column < ${SPAN};
}
struct Wrapped { cell: i32, box: i32, valid: bool }
fn wrapped(cell: i32, dims: i32, periodic: i32) -> Wrapped {
  if (cell < 0) { return Wrapped(cell + dims, -1, periodic != 0 && cell + dims >= 0); }
  if (cell >= dims) { return Wrapped(cell - dims, 1, periodic != 0 && cell < 2 * dims); }
  return Wrapped(cell, 0, true);
}
// Run q of all rows of cells around a segment from column low to high, and its length.
fn runOf(q: u32, cell: vec3i, low: i32, high: i32, run: ptr<function, Run>) -> u32 {
  let rows = 2 * P.reach.yz + 1;
  let box = i32(q % 3u) - 1;
  let oy = i32(q / 3u) % rows.x - P.reach.y;
  let oz = i32(q / 3u) / rows.x - P.reach.z;
  if (oz > P.reach.z || (box != 0 && P.periodic.x == 0)) { return 0u; }
  let y = wrapped(cell.y + oy, P.dims.y, P.periodic.y);
  let z = wrapped(cell.z + oz, P.dims.z, P.periodic.z);
  let head = max(low - box * P.dims.x, 0);
  let tail = min(high - box * P.dims.x, P.dims.x - 1);
  if (!y.valid || !z.valid || head > tail) { return 0u; }
  let line = (z.cell * P.dims.y + y.cell) * P.dims.x;
  (*run).offset = cellVector(vec3i(0, oy, oz));
  (*run).image = imageCode(vec3i(-box, -y.box, -z.box)) << ${ROW_BITS}u;
  (*run).head = start[u32(line + head)];
  (*run).x = box * P.dims.x - cell.x;
  return start[u32(line + tail) + 1u] - (*run).head;
}`,
  body: `
  let own = P.first + index;
  let row = position[own];
  let cell = unpackCell(row.w);
  lines[lane] = select(NONE, u32(cell.z * P.dims.y + cell.y), own < P.end);
  columns[lane] = cell.x;
  var found = 0u;
  var images = 0u;
  // The last four neighbours found; written together when complete.
  var pack = vec4u(0u);
  let rows = u32((2 * P.reach.y + 1) * (2 * P.reach.z + 1) * 3);
  var begin = 0u;
  loop {
    if (begin == ${SEARCH_LANES}u) { break; }
    let line = workgroupUniformLoad(&lines[begin]);
    if (line == NONE) { break; }
    let column = workgroupUniformLoad(&columns[begin]);
    let mine = lane >= begin && inSegment(lane, line, column);
    if (mine && (lane == ${SEARCH_LANES - 1}u || !inSegment(min(lane + 1u, ${SEARCH_LANES - 1}u), line, column))) {
      shared_to = lane + 1u;
    }
    let to = workgroupUniformLoad(&shared_to);
    let origin = vec3i(column, i32(line) % P.dims.y, i32(line) / P.dims.y);
    let low = column - P.reach.x;
    let high = workgroupUniformLoad(&columns[to - 1u]) + P.reach.x;
    let xi = relative(row) + cellVector(vec3i(cell.x - column, 0, 0));
    let within = select(-1.0, P.radius2, mine);
    for (var q = 0u; q < rows; q += ${SEARCH_LANES}u) {
      var run: Run;
      let length = runOf(q + lane, origin, low, high, &run);
      lengths[lane] = length;
      workgroupBarrier();
      var total = 0u;
      for (var k = 0u; k < ${SEARCH_LANES}u; k++) {
        if (k == lane) { run.before = total; }
        total += lengths[k];
      }
      runs[lane] = run;
      if (lane == 0u) { shared_total = total; }
      let candidates = workgroupUniformLoad(&shared_total);
      var r = 0u;
      for (var base = 0u; base < candidates; base += ${TILE}u) {
        for (var k = lane; k < ${TILE}u; k += ${SEARCH_LANES}u) {
          let c = base + k;
          var place = vec4u(vec3u(0x4e6e6b28u), 0u); // 1e9, out of reach
          if (c < candidates) {
            while (r < ${SEARCH_LANES - 1}u && runs[r + 1u].before <= c) { r++; }
            let j = runs[r].head + c - runs[r].before;
            let other = position[j];
            let x = relative(other) + runs[r].offset
              + cellVector(vec3i(i32(other.w & 1023u) + runs[r].x, 0, 0));
            place = vec4u(bitcast<vec3u>(x), j | runs[r].image);
          }
          tile[k] = place;
        }
        workgroupBarrier();
        for (var word = 0u; word < ${TILE}u && base + word < candidates; word += 32u) {
          var near = 0u;
          for (var k = 0u; k < 32u; k += ${UNROLL}u) {
            var bits = 0u;
            ${Array.from(
              { length: UNROLL },
              (_, k) => `{
              let d = xi - bitcast<vec3f>(tile[word + k + ${k}u].xyz);
              bits |= select(0u, ${2 ** k}u, dot(d, d) < within);
            }`,
            ).join('\n            ')}
            near |= bits << k;
          }
          while (near != 0u) {
            let e = tile[word + firstTrailingBit(near)].w;
            near &= near - 1u;
            if (e == own) { continue; }
            pack = vec4u(pack.yzw, e);
            images |= e;
            if ((found & 3u) == 3u && found < P.capacity) {
              entries[(found >> 2u) * P.stride + index] = pack;
            }
            found++;
          }
        }
        workgroupBarrier();
      }
    }
    begin = to;
  }
  if (own < P.end) {
    let stored = min(found, P.capacity);
    counts[own] = stored | select(0u, 0x80000000u, images >= ${2 ** ROW_BITS}u);
    if ((stored & 3u) != 0u) {
      for (var k = stored & 3u; k < 4u; k++) { pack = vec4u(pack.yzw, P.count); }
      entries[(stored >> 2u) * P.stride + index] = pack;
    }
  }
  atomicMax(&longest, found);
  workgroupBarrier();
  if (lane == 0u) {
    let here = atomicLoad(&longest);
    if (here > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], here); }
  }`,
});
