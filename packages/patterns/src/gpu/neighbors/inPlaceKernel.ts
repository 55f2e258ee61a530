import type { KernelSource, KernelStage } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { type EntryFormat, imageWgsl } from './EntryFormat.js';

/** Most particles: each thread has a bit for each candidate. */
export const MOST_IN_PLACE = 4096;
/** Particles that a workgroup keeps at a time at most. */
const MOST_KEPT = 512;

export interface InPlaceShape {
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  /** Threads that share a particle: those of the pair kernel, so that both may be parts of one dispatch. */
  readonly lanes: number;
}

/** Particles that a workgroup keeps at a time: a thread compares its own with so many bits of them. */
const tileOf = (lanes: number): number => Math.min(32 * lanes, MOST_KEPT);

/** Bytes of workgroup memory. */
export const inPlaceBytes = (lanes: number): number =>
  16 * tileOf(lanes) + 4 * (LANES + LANES / lanes);

/** Text of a build in place, see `inPlaceKernel`. */
export function inPlaceText(shape: InPlaceShape): KernelStage {
  const { orthorhombic, lanes } = shape;
  const searched = LANES / lanes;
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
      radius2: 'f32',
      count: 'u32',
      capacity: 'u32',
      stride: 'u32',
      slot: 'u32',
    },
    declarations: `
var<workgroup> tile: array<vec3f, ${tileOf(lanes)}>;
var<workgroup> foundBy: array<u32, ${LANES}>;
var<workgroup> foundImages: array<atomic<u32>, ${searched}>;
// Vector from the center of the first cell. Lists reach a little farther than they need to: rounding is allowed.
fn absolute(row: vec4u) -> vec3f { return relative(row) + cellVector(unpackCell(row.w)); }
// Whole boxes nearest to a vector.
fn boxesOf(d: vec3f) -> vec3f {
  return round(${
    orthorhombic
      ? 'd * vec3f(P.perBoxX.x, P.perBoxY.y, P.perBoxZ.z)'
      : 'vec3f(dot(d, P.perBoxX.xyz), dot(d, P.perBoxY.xyz), dot(d, P.perBoxZ.xyz))'
  });
}`,
    body: `
${testText(shape)}${storeText(shape)}`,
  };
}

function testText({ lanes, orthorhombic }: InPlaceShape): string {
  const searched = LANES / lanes;
  const tile = tileOf(lanes);
  const bits = tile / lanes;
  return `  let particle = lane % ${searched}u;
  let thread = lane / ${searched}u;
  let own = group * ${searched}u + particle;
  let mine = b_position[min(own, P.count - 1u)];
  let x = absolute(mine);
  let dims = vec3f(P.dims.xyz);
${
  orthorhombic
    ? '  let box = cellVectorOf(dims);'
    : `  let box = mat3x3f(
    cellVectorOf(vec3f(dims.x, 0.0, 0.0)), cellVectorOf(vec3f(0.0, dims.y, 0.0)), cellVectorOf(vec3f(0.0, 0.0, dims.z)));`
}
  if (lane < ${searched}u) { atomicStore(&foundImages[lane], 0u); }
  // Test: bit k of word t stands for row ${tile} · t + ${lanes} · k + thread.
  var near: array<u32, ${MOST_IN_PLACE / tile}>;
  var found = 0u;
  let tiles = (P.count + ${tile - 1}u) / ${tile}u;
  for (var left = tiles; left > 0u; left--) {
    let t = tiles - left;
    let first = ${tile}u * t;
    workgroupBarrier();
    for (var k = lane; k < ${tile}u; k += ${LANES}u) { tile[k] = absolute(b_position[min(first + k, P.count - 1u)]); }
    workgroupBarrier();
    var word = 0u;
    for (var k = ${bits}u; k > 0u; k--) {
      ${
        orthorhombic
          ? `// No two particles are more than one and a half boxes apart.
      let apart = abs(x - tile[${lanes}u * (k - 1u) + thread]);
      let d = min(apart, abs(box - apart));`
          : `let apart = x - tile[${lanes}u * (k - 1u) + thread];
      let d = apart - box * boxesOf(apart);`
      }
      word = (word << 1u) | select(0u, 1u, dot(d, d) < P.radius2);
    }
    // Neither rows after the last, nor the particle itself.
    let rows = (max(P.count, first + thread) - first - thread + ${lanes - 1}u) / ${lanes}u;
    if (rows < ${bits}u) { word &= (1u << rows) - 1u; }
    if (own / ${tile}u == t && own % ${lanes}u == thread) { word &= ~(1u << (own % ${tile}u / ${lanes}u)); }
    near[t] = word;
    found += countOneBits(word);
  }
`;
}

function storeText({ lanes, format }: InPlaceShape): string {
  const searched = LANES / lanes;
  return `  // Store: entries of a thread come after those of the threads before it, dummies fill up the last vector.
  foundBy[lane] = found;
  workgroupBarrier();
  var next = 0u;
  var total = 0u;
  for (var other = ${lanes}u; other > 0u; other--) {
    let theirs = foundBy[(other - 1u) * ${searched}u + particle];
    total += theirs;
    next += select(0u, theirs, other <= thread);
  }
  let kept = min(total, P.capacity);
  if (own < P.count) {
    var images = 0u;
    var t = 0u;
    var left = near[0];
    for (var some = found; some > 0u; some--) {
      for (; left == 0u; left = near[t]) { t++; }
      let row = ${tileOf(lanes)}u * t + ${lanes}u * firstTrailingBit(left) + thread;
      left &= left - 1u;
      if (next < kept) {
        let code = imageCode(-vec3i(boxesOf(x - absolute(b_position[row])))) << ${format.rowBits}u;
        images |= code;
        entries[(next >> 2u) * P.stride + own][next & 3u] = row | code;
      }
      next++;
    }
    if (images != 0u) { atomicOr(&foundImages[particle], 1u); }
    for (var at = kept; thread == 0u && (at & 3u) != 0u; at++) {
      entries[(at >> 2u) * P.stride + own][at & 3u] = P.count + (at & 3u);
    }
  }
  workgroupBarrier();
  if (own < P.count && thread == 0u) {
    reference[own] = mine;
    counts[own] = kept | (atomicLoad(&foundImages[particle]) << 31u);
    if (total > atomicLoad(&displacements[4u * P.slot + 2u])) { atomicMax(&displacements[4u * P.slot + 2u], total); }
  }`;
}

/**
 * Builds the lists of few particles without sorting them: each is compared with all others, at the image that is nearest. So
 * one kernel does what otherwise takes three, and the same text may be part of a dispatch that takes many steps.
 *
 *   test    all particles, a tile of them at a time in workgroup memory
 *   store   entries of a thread come after those of the threads before it: the same in every run
 *
 * Boxes are periodic along all axes and more than twice as high as lists reach, and no particle is farther than a quarter of
 * that outside of the box: so images are one box away at most.
 */
export function inPlaceKernel(shape: InPlaceShape): KernelSource {
  const { buffers, params, declarations, body } = inPlaceText(shape);
  return {
    label: 'neighbors: build lists in place',
    about: `Builds the neighbor list of each particle where it is; ${shape.lanes} threads share a particle.
  test      all others, at the nearest image
  store     entries of a thread after those of the threads before it`,
    workgroupSize: LANES,
    buffers,
    params,
    declarations: `${cellWgsl}${cellVectorWgsl(shape.orthorhombic)}${imageWgsl(shape.format)}${declarations}`,
    body,
  };
}
