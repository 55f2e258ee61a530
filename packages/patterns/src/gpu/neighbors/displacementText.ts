import type { DeviceStrain } from '../box/DeviceStrain.js';
import { beyondBand, STRAINED } from '../box/strainText.js';
import type { KernelBuffer } from '../device/GpuKernel.js';
import type { KernelPart } from '../kernels/KernelPart.js';

/** Words of the record of one list update. */
export const RECORD_WORDS = 4;
/** Updates that a buffer of records has room for. */
const MOST_UPDATES = 768;
/** Lists of fast particles that it has room for. */
export const MOST_LISTS = 256;
/** Words of a fast particle: its row, and the one it had when the lists were built. */
export const FAST_WORDS = 8;
/** The first words of the owners and of the lists. */
export const OWNERS = RECORD_WORDS * MOST_UPDATES;
export const LISTS = OWNERS + MOST_LISTS;
/** In the last word of a record: two fast particles came too close. */
export const MET = 2 ** 31;

/** In the last word of a record: the device did not take the step, see `residentSource`. */
export const STOPPED = 2 ** 29;

/** Added to the last word of a record by each simulation whose lists the device has built for this update by itself, see `residentSource`. */
export const BUILT = 2 ** 16;
const MOST_BUILT = 2 ** 11;

/** How many that were. @param word the last of a record */
export const builtIn = (word: number): number => Math.floor(word / BUILT) % MOST_BUILT;

/** In the last word of a record: a particle was too far outside of the box for a build in place, see `inPlaceKernel`. */
export const ASTRAY = 2 ** 27;

/** The function that is called with a particle that has gone farther than tau: its row, and that of the build. */
export const NOTE_FAST = 'noteFast';

/** A statement that loads where a particle was when the lists were built. */
export const loadReference = (at: string): string => `let before = reference[${at}];`;

/** What a note of displacements binds. */
export const noteBuffers: readonly KernelBuffer[] = [
  { name: 'reference', type: 'array<vec4u>', access: 'read' },
  { name: 'displacements', type: 'array<atomic<u32>>', access: 'read_write' },
];

/** What one thread notes for its workgroup, which begins anew then. */
const noteStatements = `
    // Note the largest displacement of the workgroup.
    let most = atomicExchange(&farthest, 0u);
    if (most > atomicLoad(&displacements[4u * P.slot])) { atomicMax(&displacements[4u * P.slot], most); }
    let first = atomicExchange(&broken, 0u);
    if (first > 0u) { atomicMax(&displacements[4u * P.slot + 1u], first); }`;

/**
 * WGSL that notes in `displacements` how far the particles have moved since the lists were built, and which have moved far:
 *
 *   displacements[4·slot]       largest squared displacement, as the bits of a float ≥ 0, which order like numbers
 *   displacements[4·slot + 1]   complement of the first row whose position is not finite, 0 if there is none
 *   displacements[4·slot + 2]   largest number of neighbors that a rebuild found
 *   displacements[4·slot + 3]   particles farther than tau, at least mostFast + 1 if there is no room for all; MET, STRAINED, STOPPED,
 *                               ASTRAY, BUILT
 *   displacements[OWNERS + l]   1 + slot whose fast particles are in list l, 0 for none
 *   displacements[LISTS …]      lists of `mostFast` fast particles each, in any order: position, position at the build
 *
 * `tau2` is 3e38 where there is no list, and nothing else is done with those that have moved far.
 *
 * @param at number of the particle, whose position is in `row_position`
 */
export const displacementPart = (
  at: string,
  strain: DeviceStrain | undefined,
): Partial<KernelPart> => ({
  buffers: noteBuffers,
  params: { slot: 'u32', list: 'u32', mostFast: 'u32', tau2: 'f32' },
  declarations: `
// Largest squared displacement in the workgroup, and the first row that is not finite.
var<workgroup> farthest: atomic<u32>;
var<workgroup> broken: atomic<u32>;
fn isFinite(bits: u32) -> bool { return (bits & 0x7f800000u) != 0x7f800000u; }
// Lists a fast particle: at the end of the window it is compared with the other fast ones.
fn ${NOTE_FAST}(row: vec4u, before: vec4u) {
  // A full list takes no more: threads would wait for one word.
  if (atomicLoad(&displacements[4u * P.slot + 3u]) > P.mostFast) { return; }
  let n = atomicAdd(&displacements[4u * P.slot + 3u], 1u);
  if (n >= P.mostFast) { return; }
  if (n == 0u) { atomicStore(&displacements[${OWNERS}u + P.list], P.slot + 1u); }
  let at = ${LISTS}u + ${FAST_WORDS}u * (P.list * P.mostFast + n);
  for (var k = 0u; k < 4u; k++) {
    atomicStore(&displacements[at + k], row[k]);
    atomicStore(&displacements[at + 4u + k], before[k]);
  }
}`,
  particle: `
    // Displacement since the lists were built.
    ${loadReference(at)}
    if (isFinite(row_position.x) && isFinite(row_position.y) && isFinite(row_position.z)) {
      let moved = relative(row_position) - relative(before)
        + cellVector(unpackCell(row_position.w) - unpackCell(before.w));
      let far = min(dot(moved, moved), 3e38);
      atomicMax(&farthest, bitcast<u32>(far));
      if (far > P.tau2) { ${NOTE_FAST}(row_position, before); }
    } else {
      atomicMax(&broken, ~${at});
    }`,
  workgroup: strain
    ? `
  // The strain is beyond what lists allow for.
  if (index == 0u && ${beyondBand(strain)}) { atomicOr(&displacements[4u * P.slot + 3u], ${STRAINED}u); }`
    : '',
  late: noteStatements,
});
