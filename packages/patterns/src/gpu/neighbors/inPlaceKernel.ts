import type { KernelSource, KernelStage } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { ASTRAY } from './displacementText.js';
import { type EntryFormat, imageCodeWgsl } from './EntryFormat.js';

/** Most particles: each thread has a bit for each row that it looks at. */
export const MOST_IN_PLACE = 32 * LANES;
/** Candidates that a workgroup keeps at a time: at least, and at most. */
const KEPT = [256, 512] as const;
/** Workgroups leave rows out where they have so many particles at most, which a sort has brought together, in boxes so many times as high as lists reach. */
const MOST_TOGETHER = 16;
const WIDE = 4;
/** Threads that are counted together. */
const COUNTED = 8;
/** Which part of a box particles may be outside of it. */
export const OUTSIDE = 1 / 4;
/** Rows that a thread loads at once. */
const AT_ONCE = 4;

export interface InPlaceShape {
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  /** Threads that share a particle: those of the pair kernel, so that both may be parts of one dispatch. */
  readonly lanes: number;
  /** Whether workgroups leave out what is far from all of their particles, see `leavesOut`. */
  readonly leavesOut: boolean;
}

/** Whether that pays: in wide boxes, or where particles in an open one are far apart. @param radius of the lists */
export const leavesOut = (
  { domain, length }: PositionFrame,
  radius: number,
  lanes: number,
): boolean =>
  domain.isOrthorhombic &&
  LANES / lanes <= MOST_TOGETHER &&
  domain.heights.every((height, k) => height * length[k]! > WIDE * radius);

/** Candidates that a workgroup keeps at a time. */
const tileOf = (lanes: number): number => Math.min(Math.max(32 * lanes, KEPT[0]), KEPT[1]);

/** Bytes of workgroup memory. */
export const inPlaceBytes = (lanes: number): number =>
  16 * tileOf(lanes) + 4 * (LANES + LANES / COUNTED + LANES / lanes + 2);

/** Text of a build in place, see `inPlaceKernel`. */
export function inPlaceText(shape: InPlaceShape): KernelStage {
  const { lanes } = shape;
  return {
    buffers: [
      { name: 'b_position', type: 'array<vec4u>', access: 'read' },
      { name: 'counts', type: 'array<u32>', access: 'read_write' },
      { name: 'entries', type: 'array<vec4u>', access: 'read_write' },
      { name: 'reference', type: 'array<vec4u>', access: 'read_write' },
      { name: 'displacements', type: 'array<atomic<u32>>', access: 'read_write' },
    ],
    params: {
      ...frameParams,
      perBoxX: 'vec4f',
      perBoxY: 'vec4f',
      perBoxZ: 'vec4f',
      ...(shape.orthorhombic && { box: 'vec4f' as const }),
      radius2: 'f32',
      count: 'u32',
      capacity: 'u32',
      stride: 'u32',
      slot: 'u32',
    },
    declarations: `${imageCodeWgsl(shape.format)}
// Coordinates and row of particles.
var<workgroup> tile: array<vec4u, ${tileOf(lanes)}>;
var<workgroup> foundBy: array<u32, ${LANES}>;
// 1 if a particle of the workgroup has a neighbor that is an image.
var<workgroup> foundImages: atomic<u32>;
${
  shape.leavesOut
    ? `// How many candidates the threads of each group have, how many there are, and where among them the own particles are.
var<workgroup> ofGroup: array<u32, ${LANES / COUNTED}>;
var<workgroup> candidates: u32;
var<workgroup> placeOf: array<u32, ${LANES / lanes}>;
// 1 if lists reach from a box around a point to a particle, which is no more than one and a half boxes away.
fn isNear(x: vec3f, center: vec3f, around: vec3f, box: vec3f) -> u32 {
  let apart = abs(center - x);
  let d = max(min(apart, abs(box - apart)) - around, vec3f(0.0));
  return select(0u, 1u, dot(d, d) < 1.0001 * P.radius2);
}`
    : ''
}
// Vector from the center of the first cell. Lists reach a little farther than they need to: rounding is allowed.
fn fromFirstCell(row: vec4u) -> vec3f { return relative(row) + cellVectorOf(shiftedCell(row.w) - 8388608.0); }
${
  shape.orthorhombic
    ? `// Whole boxes nearest to a vector that is no longer than one and a half of them.
fn boxesOf(d: vec3f, box: vec3f) -> vec3i { return vec3i(d > 0.5 * box) - vec3i(d < -0.5 * box); }`
    : `// Whole boxes nearest to a vector.
fn boxesOf(d: vec3f) -> vec3i {
  return vec3i(round(vec3f(dot(d, P.perBoxX.xyz), dot(d, P.perBoxY.xyz), dot(d, P.perBoxZ.xyz))));
}`
}`,
    body: `${ownText(shape)}${shape.leavesOut ? nearText(shape) : ''}${searchText(shape)}${countText}`,
  };
}

/** The particle of a thread, and the box. */
function ownText({ lanes, orthorhombic }: InPlaceShape): string {
  const searched = LANES / lanes;
  return `
  let particle = lane % ${searched}u;
  let thread = lane / ${searched}u;
  let own = group * ${searched}u + particle;
  let last = P.count - 1u;
  let mine = b_position[min(own, last)];
  let x = fromFirstCell(mine);
  let dims = vec3f(P.dims.xyz);
${
  orthorhombic
    ? '  let box = P.box.xyz;'
    : `  let box = mat3x3f(
    cellVectorOf(vec3f(dims.x, 0.0, 0.0)), cellVectorOf(vec3f(0.0, dims.y, 0.0)), cellVectorOf(vec3f(0.0, 0.0, dims.z)));`
}
  if (lane == 0u) { atomicStore(&foundImages, 0u); }`;
}

/** Marks rows that are near the particles of the workgroup, and counts them. */
const nearText = ({ lanes }: InPlaceShape): string => {
  const searched = LANES / lanes;
  const turns = Array.from({ length: AT_ONCE }, (_, k) => k + 1);
  return `
  // Near: rows that the lists of any particle of this workgroup may reach, by the smallest box around these.
  if (lane < ${searched}u) {
    tile[lane] = vec4u(bitcast<vec3u>(x), 0u);
    placeOf[lane] = 0xffffffffu;
  }
  workgroupBarrier();
  let first = bitcast<vec3f>(tile[0].xyz);
  var low = vec3f(0.0);
  var high = vec3f(0.0);
  for (var k = ${searched - 1}u; k > 0u; k--) {
    let apart = bitcast<vec3f>(tile[k].xyz) - first;
    let d = apart - box * vec3f(boxesOf(apart, box));
    low = min(low, d);
    high = max(high, d);
  }
  let around = 0.5 * (high - low);
  // Its center, within the box: no particle is more than one and a half boxes away.
  let unwrapped = first + 0.5 * (high + low);
  let center = unwrapped - box * vec3f(boxesOf(unwrapped - 0.5 * (box - cellVectorOf(vec3f(1.0))), box));
  // Bit k stands for row ${LANES} · k + lane.
  var marked = 0u;
  for (var k = (P.count + ${AT_ONCE * LANES - 1}u) / ${AT_ONCE * LANES}u * ${AT_ONCE}u; k > 0u; k -= ${AT_ONCE}u) {
${turns.map((t) => `    let row${t} = b_position[min(${LANES}u * (k - ${t}u) + lane, last)];`).join('\n')}
${turns.map((t) => `    marked = (marked << 1u) | isNear(fromFirstCell(row${t}), center, around, box);`).join('\n')}
  }
  let rows = (max(P.count, lane) - lane + ${LANES - 1}u) / ${LANES}u;
  if (rows < 32u) { marked &= (1u << rows) - 1u; }
  // Candidates of a thread come after those of the threads before it.
  let mark = countOneBits(marked);
  foundBy[lane] = mark;
  workgroupBarrier();
  var place = 0u;
  for (var k = lane % ${COUNTED}u; k > 0u; k--) { place += foundBy[lane - k]; }
  if (lane % ${COUNTED}u == ${COUNTED - 1}u) { ofGroup[lane / ${COUNTED}u] = place + mark; }
  workgroupBarrier();
  for (var k = lane / ${COUNTED}u; k > 0u; k--) { place += ofGroup[k - 1u]; }
  if (lane == ${LANES - 1}u) { candidates = place + mark; }
  let some = workgroupUniformLoad(&candidates);`;
};

/** Compares particles with those of a tile, and stores those that are near. */
function searchText(shape: InPlaceShape): string {
  const { lanes, orthorhombic, format } = shape;
  const searched = LANES / lanes;
  const size = tileOf(lanes);
  const bits = Math.min(size / lanes, 32);
  const words = size / lanes / bits;
  return `
${shape.leavesOut ? '' : '  let some = P.count;'}
  var images = 0u;
  var total = 0u;
  let tiles = (some + ${size - 1}u) / ${size}u;
  for (var t = tiles; t > 0u; t--) {
    let begin = ${size}u * (tiles - t);
    workgroupBarrier();
${
  shape.leavesOut
    ? `    for (; marked != 0u && place < begin + ${size}u; place++) {
      let row = ${LANES}u * firstTrailingBit(marked) + lane;
      marked &= marked - 1u;
      tile[place - begin] = vec4u(bitcast<vec3u>(fromFirstCell(b_position[row])), row);
      if (row / ${searched}u == group) { placeOf[row % ${searched}u] = place; }
    }`
    : `    for (var k = lane; k < ${size}u; k += ${LANES}u) {
      let row = min(begin + k, last);
      tile[k] = vec4u(bitcast<vec3u>(fromFirstCell(b_position[row])), row);
    }`
}
    workgroupBarrier();
    // Test: bit k of word w stands for place ${lanes} · (${bits} · w + k) + thread of the tile. None after the last, nor the particle itself.
    let ownPlace = ${shape.leavesOut ? 'placeOf[particle]' : 'own'} - begin;
    let places = (max(some, begin + thread) - begin - thread + ${lanes - 1}u) / ${lanes}u;
    var near = array<u32, ${words}>();
    var found = 0u;
    for (var w = ${words}u; w > 0u; w--) {
      let before = ${bits}u * (w - 1u);
      var word = 0u;
      for (var k = ${bits}u; k > 0u; k--) {
        let there = bitcast<vec3f>(tile[${lanes}u * (before + k - 1u) + thread].xyz);
        ${
          orthorhombic
            ? `// No two particles are more than one and a half boxes apart.
        let apart = abs(x - there);
        let d = min(apart, abs(box - apart));`
            : `let apart = x - there;
        let d = apart - box * vec3f(boxesOf(apart));`
        }
        word = (word << 1u) | select(0u, 1u, dot(d, d) < P.radius2);
      }
      let valid = max(places, before) - before;
      if (valid < ${bits}u) { word &= (1u << valid) - 1u; }
      let ownBit = ownPlace / ${lanes}u - before;
      if (ownPlace % ${lanes}u == thread && ownBit < ${bits}u) { word &= ~(1u << ownBit); }
      near[w - 1u] = word;
      found += countOneBits(word);
    }
    // Store: entries of a thread come after those of the threads before it.
    foundBy[lane] = found;
    workgroupBarrier();
    var next = total;
    for (var other = ${lanes}u; other > 0u; other--) {
      let theirs = foundBy[(other - 1u) * ${searched}u + particle];
      total += theirs;
      next += select(0u, theirs, other <= thread);
    }
    let room = select(0u, max(P.capacity, next) - next, own < P.count);
    var w = 0u;
    var left = near[0];
    for (var more = min(found, room); more > 0u; more--) {
      for (; left == 0u; left = near[w]) { w++; }
      let there = tile[${lanes}u * (${bits}u * w + firstTrailingBit(left)) + thread];
      left &= left - 1u;
      let code = imageCode(-boxesOf(x - bitcast<vec3f>(there.xyz)${orthorhombic ? ', box' : ''})) << ${format.rowBits}u;
      images |= code;
      entries[(next >> 2u) * P.stride + own][next & 3u] = there.w | code;
      next++;
    }
  }`;
}

/**
 * Fills up the last vector of each list, and says how long it is, and whether a particle of the workgroup has images: threads beside each
 * other then walk the same way.
 */
const countText = `
  // Count: dummies fill up the last vector.
  if (images != 0u) { atomicOr(&foundImages, 1u); }
  workgroupBarrier();
  if (own < P.count && thread == 0u) {
    let kept = min(total, P.capacity);
    for (var at = kept; (at & 3u) != 0u; at++) { entries[(at >> 2u) * P.stride + own][at & 3u] = P.count + (at & 3u); }
    reference[own] = mine;
    let outside = abs(vec3f(dot(x, P.perBoxX.xyz), dot(x, P.perBoxY.xyz), dot(x, P.perBoxZ.xyz)) + 0.5 / dims - 0.5) - 0.5;
    if (max(outside.x, max(outside.y, outside.z)) > ${OUTSIDE}) { atomicOr(&displacements[4u * P.slot + 3u], ${ASTRAY}u); }
    counts[own] = kept | (atomicLoad(&foundImages) << 31u);
    if (total > atomicLoad(&displacements[4u * P.slot + 2u])) { atomicMax(&displacements[4u * P.slot + 2u], total); }
  }`;

/**
 * Builds the lists of few particles without sorting them: each is compared with all others, at the image that is nearest. So
 * one kernel does what otherwise takes three, and the same text may be part of a dispatch that takes many steps.
 *
 *   near    in wide boxes: which rows may be near any particle of the workgroup, by the smallest box around these
 *   test    all of these rows, some at a time in workgroup memory
 *   store   entries of a thread come after those of the threads before it: the same in every run
 *
 * Boxes are more than twice as high as lists reach along periodic axes, and no particle is farther than a quarter of
 * that outside of the box: so images are one box away at most. Along open axes there are none.
 */
export function inPlaceKernel(shape: InPlaceShape): KernelSource {
  const { buffers, params, declarations, body } = inPlaceText(shape);
  return {
    label: 'neighbors: build lists in place',
    about: `Builds the neighbor list of each particle where it is; ${shape.lanes} threads share a particle.
${shape.leavesOut ? '  near      rows that the lists of any particle of the workgroup may reach\n' : ''}  test      ${shape.leavesOut ? 'these' : 'all others'}, at the nearest image
  store     entries of a thread after those of the threads before it`,
    workgroupSize: LANES,
    buffers,
    params,
    declarations: `${cellWgsl}${cellVectorWgsl(shape.orthorhombic)}${declarations}`,
    body,
  };
}
