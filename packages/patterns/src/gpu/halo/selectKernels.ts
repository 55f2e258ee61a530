import type { KernelSource } from '../device/GpuKernel.js';
import { cellWgsl } from '../wgsl/frameWgsl.js';
import { read, written } from './rowBuffers.js';

/** Rows of a workgroup. */
export const GROUP = 256;
const WORDS = GROUP / 32;

export type SelectionKind = 'seen' | 'leaving';

/** Boxes −1 … 1 along a, b and c of one number, (a + 1) + 3 (b + 1) + 9 (c + 1): 13 for none. */
export const boxesOfCode = (code: number): readonly [number, number, number] => [
  (code % 3) - 1,
  (Math.floor(code / 3) % 3) - 1,
  Math.floor(code / 9) - 1,
];

const tests: Record<SelectionKind, string> = {
  seen: `
      let isIn = all(s >= lower) && all(s <= upper);`,
  leaving: `
      let isIn = all(s >= lower) && all(s < upper) && (r != P.own || any(boxes != vec3f(0.0)));`,
};

/** One pass of `RowSelection`, one thread a row. After the regions comes one of rows that are in any of them. */
export const selectKernel = (
  pass: 'count' | 'write',
  size: number,
  kind: SelectionKind,
): KernelSource => ({
  label: `halo: ${pass} ${kind}`,
  about: `${pass === 'count' ? 'Counts' : 'Writes'} rows of regions, one thread a row; bits of a workgroup say which rows are in which region.`,
  workgroupSize: GROUP,
  buffers: [
    { name: 'position', type: 'array<vec4u>', access: 'read' },
    read('regions', 'lower and upper ends of regions, in boxes', 'vec4f'),
    written('counts', 'rows of each region in each workgroup'),
    written('starts', 'where these are written'),
    written('found', 'rows of the regions'),
    written('codes', 'boxes that rows are away'),
  ],
  params: {
    inverseX: 'vec4f',
    inverseY: 'vec4f',
    inverseZ: 'vec4f',
    lower: 'vec4f',
    perCell: 'vec4f',
    wrap: 'vec4i',
    count: 'u32',
    groups: 'u32',
    own: 'u32',
  },
  declarations: `${cellWgsl}
var<workgroup> bits: array<atomic<u32>, ${WORDS * (size + 1)}>;`,
  body: `
  let word = lane >> 5u;
  let bit = 1u << (lane & 31u);
  var boxes = vec3f(0.0);
  if (index < P.count) {
    let row = position[index];
    let x = relative(row);
    let inCells = vec3f(dot(x, P.inverseX.xyz), dot(x, P.inverseY.xyz), dot(x, P.inverseZ.xyz));
    var s = P.lower.xyz + (vec3f(unpackCell(row.w)) + inCells + 0.5) * P.perCell.xyz;
    boxes = clamp(floor(s), vec3f(-1.0), vec3f(1.0)) * vec3f(P.wrap.xyz);
    s -= boxes;
    var isInAny = false;
    for (var left = ${size}u; left > 0u; left--) {
      let r = ${size}u - left;
      let lower = regions[2u * r].xyz;
      let upper = regions[2u * r + 1u].xyz;${tests[kind]}
      if (isIn) {
        atomicOr(&bits[${WORDS}u * r + word], bit);
        isInAny = true;
      }
    }
    if (isInAny) { atomicOr(&bits[${WORDS * size}u + word], bit); }
  }
  workgroupBarrier();
  ${pass === 'count' ? COUNT(size) : WRITE(size)}`,
});

const COUNT = (size: number): string => `
  for (var r = lane; r <= ${size}u; r += ${GROUP}u) {
    var here = 0u;
    for (var left = ${WORDS}u; left > 0u; left--) { here += countOneBits(atomicLoad(&bits[${WORDS}u * r + left - 1u])); }
    counts[r * P.groups + group] = here;
  }`;

const WRITE = (size: number): string => `
  for (var left = ${size + 1}u; left > 0u; left--) {
    let r = ${size + 1}u - left;
    let own = atomicLoad(&bits[${WORDS}u * r + word]);
    if ((own & bit) == 0u) { continue; }
    var before = countOneBits(own & (bit - 1u));
    for (var more = word; more > 0u; more--) { before += countOneBits(atomicLoad(&bits[${WORDS}u * r + more - 1u])); }
    let at = starts[r * P.groups + group] + before;
    found[at] = index;
    let b = vec3u(vec3i(boxes) + 1);
    codes[at] = b.x + 3u * b.y + 9u * b.z;
  }`;

/** Entries of a thread of a scan, and of all threads: both arrays have room for a multiple of them. */
const EACH = 8;
export const SCANNED = EACH * GROUP;

/** Sums of all entries before each, by one workgroup. */
export const scanKernel: KernelSource = {
  label: 'halo: scan',
  about: `Adds up all entries before each: one workgroup takes ${SCANNED} of them at a time, a thread ${EACH}.`,
  workgroupSize: GROUP,
  buffers: [
    {
      name: 'counts',
      type: 'array<vec4u>',
      access: 'read',
      holds: 'rows of each region in each workgroup',
    },
    { name: 'starts', type: 'array<vec4u>', access: 'read_write', holds: 'sums of those before' },
  ],
  params: { chunks: 'u32' },
  declarations: `
var<workgroup> sums: array<u32, ${GROUP}>;
// Sums of the numbers before each.
fn before(v: vec4u) -> vec4u { return vec4u(0u, v.x, v.x + v.y, v.x + v.y + v.z); }
fn total(v: vec4u) -> u32 { return v.x + v.y + v.z + v.w; }`,
  body: `
  var sum = 0u;
  for (var left = P.chunks; left > 0u; left--) {
    let at = ${EACH / 4}u * ((P.chunks - left) * ${GROUP}u + lane);
    let a = counts[at];
    let b = counts[at + 1u];
    let own = total(a) + total(b);
    // Sums of all threads up to each.
    sums[lane] = own;
    workgroupBarrier();
    for (var step = ${Math.log2(GROUP)}u; step > 0u; step--) {
      let distance = 1u << (${Math.log2(GROUP)}u - step);
      var other = 0u;
      if (lane >= distance) { other = sums[lane - distance]; }
      workgroupBarrier();
      sums[lane] += other;
      workgroupBarrier();
    }
    let first = sum + sums[lane] - own;
    starts[at] = first + before(a);
    starts[at + 1u] = first + total(a) + before(b);
    sum += sums[${GROUP - 1}u];
    workgroupBarrier();
  }`,
};

/** Rows of each region, one thread a region. */
export const totalsKernel: KernelSource = {
  label: 'halo: totals',
  about: 'Rows of each region, one thread a region.',
  workgroupSize: 64,
  buffers: [
    {
      name: 'starts',
      type: 'array<u32>',
      access: 'read',
      holds: 'where rows of regions and workgroups begin',
    },
    { name: 'totals', type: 'array<u32>', access: 'read_write', holds: 'rows of each region' },
  ],
  params: { groups: 'u32', size: 'u32' },
  body: `
  if (index < P.size) { totals[index] = starts[(index + 1u) * P.groups] - starts[index * P.groups]; }`,
};
