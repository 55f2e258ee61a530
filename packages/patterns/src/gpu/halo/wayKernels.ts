import type { KernelSource } from '../device/GpuKernel.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';

const LANES = 128;
/** Bytes of a way. */
export const WAY_BYTES = 8;
/** Whole numbers from 0 to the range of ways. */
const STEPS = 2 ** 20 - 1;

const read = (name: string, type: string, holds: string) =>
  ({ name, type: `array<${type}>`, access: 'read', holds }) as const;
const written = (name: string, type: string, holds: string) =>
  ({ name, type: `array<${type}>`, access: 'read_write', holds }) as const;

const own = [
  read('positions', 'vec4u', 'positions of the particles of the rank'),
  read('before', 'vec4u', 'the same when their lists were built'),
  read('rowsFrom', 'u32', 'rows that are read'),
] as const;
const halo = [
  read('rowsTo', 'u32', 'rows that are written'),
  read('reference', 'vec4u', 'positions of the halo when its lists were built'),
  written('placed', 'vec4u', 'positions of the halo'),
] as const;

/** Where a particle of the rank has gone. */
const wayOfOwn = `${cellWgsl}${cellVectorWgsl(false)}
fn wayOf(row: u32) -> vec3f {
  let now = positions[row];
  let then = before[row];
  return cellVector(unpackCell(now.w) - unpackCell(then.w)) + (relative(now) - relative(then));
}`;

const packing = `
// Ways along x, y and z as whole numbers of 21 bits.
fn packWay(way: vec3f) -> vec2u {
  let n = vec3u(vec3i(round(clamp(way / P.range, vec3f(-1.0), vec3f(1.0)) * ${STEPS}.0)) + ${STEPS});
  return vec2u(n.x | (n.y << 21u), (n.y >> 11u) | (n.z << 10u));
}`;
const unpacking = `
fn unpackWay(w: vec2u) -> vec3f {
  let n = vec3u(w.x & 0x1fffffu, (w.x >> 21u) | ((w.y & 0x3ffu) << 11u), w.y >> 10u);
  return vec3f(vec3i(n) - ${STEPS}) * (P.range / ${STEPS}.0);
}`;
const placing = `
// Puts a particle of the halo where it has gone.
fn place(row: u32, way: vec3f) {
  let then = reference[row];
  placed[row] = vec4u(bitcast<vec3u>(bitcast<vec3f>(then.xyz) + way), then.w);
}`;

/** Side by side, the ways of those that other ranks see. */
export const packWays: KernelSource = {
  label: 'halo: pack ways',
  about:
    'Packs how far the particles that other ranks see have gone since the lists were built, one thread a particle.',
  workgroupSize: LANES,
  buffers: [...own, written('packed', 'vec2u', 'ways that are sent')],
  params: { ...frameParams, range: 'f32', count: 'u32' },
  declarations: `${wayOfOwn}${packing}`,
  body: `
  if (index < P.count) { packed[index] = packWay(wayOf(rowsFrom[index])); }`,
};

/** Ghosts go the ways that have arrived. */
export const moveGhosts: KernelSource = {
  label: 'halo: move ghosts',
  about: 'Moves ghosts from where lists were built by the ways that have arrived, one thread each.',
  workgroupSize: LANES,
  buffers: [read('packed', 'vec2u', 'ways that have arrived'), ...halo],
  params: { range: 'f32', count: 'u32' },
  declarations: `${unpacking}${placing}`,
  body: `
  if (index < P.count) { place(rowsTo[index], unpackWay(packed[index])); }`,
};

/** Border particles go as far as others are told, so that both sides of a border see a pair at the same distance. */
export const moveBorder: KernelSource = {
  label: 'halo: move border',
  about:
    'Moves border particles from where lists were built by the ways that other ranks are told, one thread each.',
  workgroupSize: LANES,
  buffers: [...own, ...halo],
  params: { ...frameParams, range: 'f32', count: 'u32' },
  declarations: `${wayOfOwn}${packing}${unpacking}${placing}`,
  body: `
  if (index < P.count) { place(rowsTo[index], unpackWay(packWay(wayOf(rowsFrom[index])))); }`,
};
