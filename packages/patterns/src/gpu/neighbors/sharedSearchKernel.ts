import type { KernelSource } from '../device/GpuKernel.js';
import { cellVectorWgsl, cellWgsl } from '../wgsl/frameWgsl.js';
import { type Candidates, wholeCandidates } from './candidates.js';
import { imageCodeWgsl, imageOfEntries } from './EntryFormat.js';
import type { SearchShape } from './searchKernel.js';
import {
  boxesText,
  cellDeclarations,
  searchBuffers,
  searchParams,
  TRIM,
  TRIM_OWN,
  WAVE,
} from './searchText.js';

const LANES = 128;
/** Threads that share a particle. */
const SHARES = 32;
/** Particles of a workgroup. */
export const SEARCHED = LANES / SHARES;
/** A row of cells is shared by so many threads: a liquid has nine rows of some forty candidates. */
const PARTS = 3;

/**
 * The search for neighbors where there are few particles: with one thread each, most of a device would wait for a few long ones.
 * 32 threads share a particle, each takes parts of rows of cells.
 *
 *   count    each thread tests its candidates
 *   place    entries of a thread come after those of the threads before it
 *   store    it tests them again, and stores what is near
 *
 * Counting first needs no memory for what was found. Entries are in the order of the threads: the same in every run.
 */
export function sharedSearchKernel(shape: Omit<SearchShape, 'packed'>): KernelSource {
  const { orthorhombic, trimmed, format } = shape;
  const candidates = wholeCandidates(orthorhombic);
  const walk = (action: string): string => walkText(shape, candidates, action);
  return {
    label: 'neighbors: build lists',
    about: `Builds the neighbor list of each particle, ${SHARES} threads a particle; particles are sorted by cell.
  count     each thread tests candidates of its parts of rows of cells
  place     where its entries begin
  store     it tests them again, and stores entries`,
    workgroupSize: LANES,
    // Entries by numbers, since several threads store the four of a vector.
    buffers: searchBuffers('u32'),
    params: searchParams(candidates),
    declarations: `${cellWgsl}${cellVectorWgsl(orthorhombic)}${imageCodeWgsl(format)}${cellDeclarations(format.imageBits > 0)}
var<workgroup> foundBy: array<u32, ${LANES}>;
var<workgroup> hasImages: atomic<u32>;
// Where an entry of a particle is.
fn place(entry: u32, index: u32) -> u32 { return 4u * ((entry >> 2u) * P.stride + index) + (entry & 3u); }`,
    body: `
  // The particle of this thread; its position is noted: what the lists were made for.
  let particle = lane % ${SEARCHED}u;
  let thread = lane / ${SEARCHED}u;
  let slot = group * ${SEARCHED}u + particle;
  let own = P.first + slot;
  let row = position[min(own, P.end - 1u)];
  if (own < P.end && thread == 0u) { reference[own] = row; }
  let xi = relative(row);
  let cell = unpackCell(row.w);
  ${trimmed ? TRIM_OWN : ''}
  ${candidates.own}
  let across = 2 * P.reach.y + 1;
  let items = select(0, ${PARTS} * across * (2 * P.reach.z + 1), own < P.end);
  let rounds = (items + ${SHARES - 1}) / ${SHARES};
  // One flag for each wave of particles, so that its threads go the same way later: whether the lists of one may have images.
  if (lane < ${WAVE}u) {
    let there = unpackCell(position[min(P.first + group / ${WAVE / SEARCHED}u * ${WAVE}u + lane, P.end - 1u)].w);
    let isOutside = (there < P.reach.xyz) | (there + P.reach.xyz >= P.dims.xyz);
    if (any(isOutside & (P.periodic.xyz != vec3i(0)))) { atomicOr(&hasImages, 1u); }
  }
  // Count.
  var found = 0u;
  ${walk('found += countOneBits(near);')}
  foundBy[lane] = found;
  workgroupBarrier();
  // Entries of the threads before come first.
  var next = 0u;
  var total = 0u;
  for (var left = ${SHARES}u; left > 0u; left--) {
    let other = ${SHARES}u - left;
    let theirs = foundBy[other * ${SEARCHED}u + particle];
    total += theirs;
    next += select(0u, theirs, other < thread);
  }
  // Store.
  ${walk(`for (var some = countOneBits(near); some > 0u; some--) {
          if (next < P.capacity) { entries[place(next, slot)] = code + firstTrailingBit(near); }
          near &= near - 1u;
          next++;
        }`)}
  if (own < P.end && thread == 0u) {
    // Dummies fill up the last vector.
    for (var left = (4u - total) & 3u; left > 0u; left--) {
      let entry = total + left - 1u;
      if (entry < P.capacity) { entries[place(entry, slot)] = P.count + left - 1u; }
    }
    counts[own] = min(total, P.capacity) | (atomicLoad(&hasImages) << 31u);
    if (total > atomicLoad(&most[P.at])) { atomicMax(&most[P.at], total); }
  }`,
  };
}

/** Goes through what a thread tests; the action finds bits of near candidates in `near`, and the entry of the first in `code`. */
function walkText(
  { trimmed, format }: Omit<SearchShape, 'packed'>,
  candidates: Candidates,
  action: string,
): string {
  const { atOnce } = candidates;
  const tests = Array.from(
    { length: atOnce },
    (_, k) => `{
          ${candidates.distance(k)}
          near |= select(0u, ${2 ** k}u, ${candidates.isNear});
        }`,
  );
  return `for (var left = rounds; left > 0; left--) {
    let item = (rounds - left) * ${SHARES} + i32(thread);
    if (item >= items) { continue; }
    // A part of a row of cells, all at the same place along y and z.
    let part = u32(item % ${PARTS});
    let oz = item / (${PARTS} * across) - P.reach.z;
    let oy = (item / ${PARTS}) % across - P.reach.y;
    let z = wrapped(cell.z + oz, P.dims.z, P.periodic.z);
    let y = wrapped(cell.y + oy, P.dims.y, P.periodic.y);
    if (!z.valid || !y.valid) { continue; }
    var low = cell.x - P.reach.x;
    var high = cell.x + P.reach.x;
    ${trimmed ? TRIM : ''}
    let xr = xi - cellVector(vec3i(0, oy, oz));
    let line = (z.cell * P.dims.y + y.cell) * P.dims.x;
    ${boxesText(format.imageBits > 0)}
      let head = max(low - box * P.dims.x, 0);
      let tail = min(high - box * P.dims.x, P.dims.x - 1);
      if (head > tail) { continue; }
      let image = ${imageOfEntries(format, 'vec3i(-box, -y.box, -z.box)')};
      ${candidates.run}
      let begin = start[u32(line + head)];
      let all = start[u32(line + tail) + 1u] - begin;
      let end = begin + all * (part + 1u) / ${PARTS}u;
      var j = begin + all * part / ${PARTS}u;
      for (var chunks = (end - j + ${atOnce - 1}u) / ${atOnce}u; chunks > 0u; chunks--) {
        ${candidates.read('j')}
        // A bit for each candidate within the radius.
        var near = 0u;
        ${tests.join('\n        ')}
        // Neither candidates of the next part, nor the particle itself.
        near &= ${2 ** atOnce - 1}u >> (${atOnce}u - min(end - j, ${atOnce}u));
        let code = j | image;
        if (own - code < ${atOnce}u) { near &= ~(1u << (own - code)); }
        ${action}
        j += ${atOnce}u;
      }
    }
  }`;
}
