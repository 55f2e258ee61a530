import type { KernelSource, KernelStage } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { type EntryFormat, imageWgsl } from './EntryFormat.js';

/** Particles that a workgroup keeps at a time; a multiple of any number of threads a particle. */
const TILE = 512;
/** Words of workgroup memory for entries, and entries that a particle may have. */
const ENTRY_WORDS = 4096;
const MOST_ENTRIES = 256;
/** Most particles: each thread has a bit for each candidate. */
export const MOST_IN_PLACE = 4096;

export interface InPlaceShape {
  readonly orthorhombic: boolean;
  readonly format: EntryFormat;
  /** Threads that share a particle: those of the pair kernel, so that both may be parts of one dispatch. */
  readonly lanes: number;
}

/** Entries that lists built in place have room for. */
export const roomInPlace = (lanes: number): number =>
  Math.min(MOST_ENTRIES, (ENTRY_WORDS * lanes) / LANES);

/** Bytes of workgroup memory. */
export const inPlaceBytes = (lanes: number): number =>
  16 * TILE + 4 * (LANES + LANES / lanes) + 4 * roomInPlace(lanes) * (LANES / lanes);

/** Text of a build in place, see `inPlaceKernel`. */
export function inPlaceText(shape: InPlaceShape): KernelStage {
  const { orthorhombic, lanes } = shape;
  const searched = LANES / lanes;
  const most = roomInPlace(lanes);
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
var<workgroup> tile: array<vec3f, ${TILE}>;
var<workgroup> foundBy: array<u32, ${LANES}>;
var<workgroup> foundRows: array<u32, ${most * searched}>;
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
${testText(shape)}${placeText(shape)}${storeText(shape)}`,
  };
}

/** Words of bits that a thread has for its candidates. */
const wordsOf = (lanes: number): number => Math.max(1, MOST_IN_PLACE / lanes / 32);

function testText({ lanes }: InPlaceShape): string {
  const searched = LANES / lanes;
  const words = wordsOf(lanes);
  return `  let which = lane % ${searched}u;
  let share = lane / ${searched}u;
  let own = group * ${searched}u + which;
  let mine = b_position[min(own, P.count - 1u)];
  let x = absolute(mine);
  if (lane < ${searched}u) { atomicStore(&foundImages[lane], 0u); }
  // Test: bit k of a thread stands for row k · ${lanes} + share.
  var near: array<u32, ${words}>;
  var found = 0u;
  for (var tiles = (P.count + ${TILE - 1}u) / ${TILE}u; tiles > 0u; tiles--) {
    let first = (tiles - 1u) * ${TILE}u;
    let rows = min(${TILE}u, P.count - first);
    workgroupBarrier();
    for (var k = lane; k < rows; k += ${LANES}u) { tile[k] = absolute(b_position[first + k]); }
    workgroupBarrier();
    for (var k = share; k < rows; k += ${lanes}u) {
      let apart = x - tile[k];
      let d = apart - cellVectorOf(boxesOf(apart) * vec3f(P.dims.xyz));
      if (dot(d, d) < P.radius2 && first + k != own) {
        let bit = (first + k) / ${lanes}u;
        near[bit >> 5u] |= 1u << (bit & 31u);
        found++;
      }
    }
  }
`;
}

function placeText({ lanes }: InPlaceShape): string {
  const searched = LANES / lanes;
  const most = roomInPlace(lanes);
  const words = wordsOf(lanes);
  return `  // Place: rows of a thread come after those of the threads before it.
  foundBy[lane] = found;
  workgroupBarrier();
  var next = 0u;
  var total = 0u;
  for (var other = 0u; other < ${lanes}u; other++) {
    let theirs = foundBy[other * ${searched}u + which];
    total += theirs;
    next += select(0u, theirs, other < share);
  }
  for (var word = 0u; word < ${words}u; word++) {
    var left = near[word];
    for (var some = countOneBits(left); some > 0u; some--) {
      let row = (32u * word + firstTrailingBit(left)) * ${lanes}u + share;
      if (next < ${most}u) { foundRows[which * ${most}u + next] = row; }
      left &= left - 1u;
      next++;
    }
  }
  workgroupBarrier();
`;
}

function storeText({ lanes, format }: InPlaceShape): string {
  const most = roomInPlace(lanes);
  return `  // Store: four entries at a time, with their images; dummies fill up the last vector.
  let kept = min(total, min(${most}u, P.capacity));
  if (own < P.count) {
    var images = 0u;
    for (var column = share; 4u * column < kept; column += ${lanes}u) {
      var four: vec4u;
      for (var k = 0u; k < 4u; k++) {
        let at = 4u * column + k;
        if (at < kept) {
          let row = foundRows[which * ${most}u + at];
          let code = imageCode(-vec3i(boxesOf(x - absolute(b_position[row])))) << ${format.rowBits}u;
          images |= code;
          four[k] = row | code;
        } else {
          four[k] = P.count + k;
        }
      }
      entries[column * P.stride + own] = four;
    }
    if (images != 0u) { atomicOr(&foundImages[which], 1u); }
  }
  workgroupBarrier();
  if (own < P.count && share == 0u) {
    reference[own] = mine;
    counts[own] = kept | (atomicLoad(&foundImages[which]) << 31u);
    if (total > atomicLoad(&displacements[4u * P.slot + 2u])) { atomicMax(&displacements[4u * P.slot + 2u], total); }
  }`;
}

/**
 * Builds the lists of few particles without sorting them: each is compared with all others, at the image that is nearest. So
 * one kernel does what otherwise takes three, and the same text may be part of a dispatch that takes many steps.
 *
 *   test    all particles, a tile of them at a time in workgroup memory
 *   place   rows of a thread come after those of the threads before it: the same in every run
 *   store   four entries at a time, with their images
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
  place     where the entries of a thread begin
  store     four entries at a time`,
    workgroupSize: LANES,
    buffers,
    params,
    declarations: `${cellWgsl}${cellVectorWgsl(shape.orthorhombic)}${imageWgsl(shape.format)}${declarations}`,
    body,
  };
}
