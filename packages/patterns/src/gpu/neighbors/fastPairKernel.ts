import type { KernelSource } from '../device/GpuKernel.js';
import { cellVectorWgsl, cellWgsl, frameParams } from '../wgsl/frameWgsl.js';
import { FAST_WORDS, LISTS, MET, OWNERS } from './displacementText.js';

export const TILE = 128;

/**
 * Looks in every list of fast particles for two that are within the cutoff and were farther apart than lists reach when they
 * were built, and marks the record of the update that owns the list: see `FastLimits`. Of two that have gone the skin together
 * one has gone half of it, as few have, and the other skin − D at least, D being how far any has gone. A workgroup takes
 * some of the latter, and from one tile of the list after the other all of the former. Lists of updates that are good, or too
 * old, whatever these pairs do, are left out.
 */
export const fastPairKernel = (orthorhombic: boolean): KernelSource => ({
  label: 'neighbors: fast pairs',
  about: `Compares fast particles with each other: only two of them can have met without being in a list.
A workgroup takes a tile of one list of fast particles.
  owner     whether the list belongs to an update that needs the proof
  gather    the others of the list, a tile at a time
  compare   within the cutoff now, and farther apart than lists reached at the build: the record is marked`,
  workgroupSize: TILE,
  buffers: [{ name: 'displacements', type: 'array<atomic<u32>>', access: 'read_write' }],
  params: {
    ...frameParams,
    lists: 'u32',
    mostFast: 'u32',
    tiles: 'u32',
    half2: 'f32',
    most2: 'f32',
    near2: 'f32',
    listed2: 'f32',
    skin: 'f32',
  },
  declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}
// Relative to the cell at the build, which is that of w.
struct Fast { x: vec3f, w: u32, before: vec3f, gone: f32 }
var<workgroup> members: u32;
var<workgroup> farthest: f32;
var<workgroup> filled: atomic<u32>;
var<workgroup> others: array<vec4u, ${TILE}>;
var<workgroup> othersBefore: array<vec3f, ${TILE}>;
fn owner(list: u32) -> u32 { return atomicLoad(&displacements[${OWNERS}u + list]); }
fn wordsAt(at: u32) -> vec4u {
  return vec4u(atomicLoad(&displacements[at]), atomicLoad(&displacements[at + 1u]), atomicLoad(&displacements[at + 2u]), atomicLoad(&displacements[at + 3u]));
}
fn fast(list: u32, k: u32) -> Fast {
  let at = ${LISTS}u + ${FAST_WORDS}u * (list * P.mostFast + k);
  let now = wordsAt(at);
  let before = wordsAt(at + 4u);
  let x = relative(now) + cellVector(unpackCell(now.w) - unpackCell(before.w));
  return Fast(x, before.w, relative(before), 1.0001 * length(x - relative(before)));
}
fn meets(a: Fast, x: vec4u, before: vec3f) -> bool {
  let dims = vec3f(P.dims.xyz);
  var cells = shiftedCell(a.w) - shiftedCell(x.w);
  cells -= dims * round(cells / dims);
  let apart = cellVectorOf(cells);
  let d = a.x - bitcast<vec3f>(x.xyz) + apart;
  if (dot(d, d) > P.near2) { return false; }
  let was = a.before - before + apart;
  return dot(was, was) >= P.listed2;
}`,
  body: `
  let list = group / P.tiles;
  let first = (group % P.tiles) * ${TILE}u;
  if (lane == 0u && list < P.lists) {
    let owned = owner(list);
    if (owned > 0u) {
      let record = 4u * (owned - 1u);
      let D2 = bitcast<f32>(atomicLoad(&displacements[record]));
      let all = atomicLoad(&displacements[record + 3u]) & ${MET - 1}u;
      if (D2 > P.half2 && D2 <= P.most2 && all <= P.mostFast) { members = all; }
      farthest = sqrt(D2);
    }
  }
  let count = workgroupUniformLoad(&members);
  let D = workgroupUniformLoad(&farthest);
  if (first >= count) { return; }
  let own = fast(list, min(first + lane, count - 1u));
  let isOwn = own.gone + D >= P.skin && first + lane < count;
  var met = false;
  for (var tile = 0u; tile < count; tile += ${TILE}u) {
    atomicStore(&filled, 0u);
    workgroupBarrier();
    if (tile + lane < count) {
      let other = fast(list, tile + lane);
      if (2.0 * other.gone >= P.skin) {
        let at = atomicAdd(&filled, 1u);
        others[at] = vec4u(bitcast<vec3u>(other.x), other.w);
        othersBefore[at] = other.before;
      }
    }
    workgroupBarrier();
    if (isOwn) {
      let here = atomicLoad(&filled);
      for (var k = 0u; k < here; k++) {
        if (meets(own, others[k], othersBefore[k])) { met = true; }
      }
    }
    workgroupBarrier();
  }
  if (met) { atomicOr(&displacements[4u * (owner(list) - 1u) + 3u], ${MET}u); }`,
});
