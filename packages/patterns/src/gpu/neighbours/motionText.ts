import type { KernelBuffer, ParamType } from '../device/GpuKernel.js';

/** Words of the record of one list update: the two below, and the largest number of neighbours found by a rebuild. */
export const RECORD_WORDS = 4;

/**
 * WGSL that notes in a record of `motion` how far the particles have moved since the lists were built:
 *
 *   motion[4·slot]       largest squared displacement, as the bits of a float ≥ 0, which order like numbers
 *   motion[4·slot + 1]   complement of the first row whose position is not finite, 0 if there is none
 */
export const motionText = {
  buffers: [
    { name: 'reference', type: 'array<vec4u>', access: 'read' },
    { name: 'motion', type: 'array<atomic<u32>>', access: 'read_write' },
  ] as const satisfies readonly KernelBuffer[],
  params: { slot: 'u32' } as const satisfies Record<string, ParamType>,
  declarations: `
var<workgroup> farthest: atomic<u32>;
var<workgroup> broken: atomic<u32>;
fn isFinite(bits: u32) -> bool { return (bits & 0x7f800000u) != 0x7f800000u; }`,
  /** Statements for one particle: `row` holds its position, `at` is its number. */
  note: (row: string, at = 'index'): string => `
    let before = reference[${at}];
    if (isFinite(${row}.x) && isFinite(${row}.y) && isFinite(${row}.z)) {
      let moved = relative(${row}) - relative(before)
        + cellVector(unpackCell(${row}.w) - unpackCell(before.w));
      atomicMax(&farthest, bitcast<u32>(min(dot(moved, moved), 3e38)));
    } else {
      atomicMax(&broken, ~${at});
    }`,
  /** Statements for the whole workgroup, in uniform control flow. */
  store: `
  workgroupBarrier();
  if (lane == 0u) {
    let most = atomicLoad(&farthest);
    if (most > atomicLoad(&motion[4u * P.slot])) { atomicMax(&motion[4u * P.slot], most); }
    let first = atomicLoad(&broken);
    if (first > 0u) { atomicMax(&motion[4u * P.slot + 1u], first); }
  }`,
} as const;
