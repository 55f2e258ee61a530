import type { KernelBuffer } from '../device/GpuKernel.js';

/** Looks at the counter after which a workgroup gives up: some tens of milliseconds on a card. */
const MOST_LOOKS = 100_000;

/** The buffer that workgroups meet by and share rows in, see `meetingText`. */
export const meetingBuffer: KernelBuffer = {
  name: 'meeting',
  type: 'array<SharedRow>',
  access: 'read_write',
  holds: 'how often workgroups have met, whether one waited in vain; rows that all of them see',
};

/** The first row of `meeting` that workgroups share what they like in: counters have a line of memory of their own. */
export const FIRST_SHARED = 16;
/** Bytes of a row. */
export const SHARED_BYTES = 16;

/**
 * WGSL of a barrier between all workgroups of a dispatch, which WebGPU lacks and does not promise to be possible: it waits for a
 * bounded time.
 *
 *   meeting[0].x   how often a workgroup has come to a barrier; it is never set back, and wraps
 *   meeting[0].y   1 once a workgroup has waited in vain
 *   meeting[16]    and so on: rows that workgroups share
 *
 * `meetAll(lane, after)` returns when the counter has reached `after`, in all threads; false where it did not.
 * What others shall see after a meeting is stored by `say(row, words)`, which reads it back: so it has arrived.
 */
export const meetingText = `
struct SharedRow { x: atomic<u32>, y: atomic<u32>, z: atomic<u32>, pad: u32 }
fn fail() { atomicStore(&meeting[0].y, 1u); }
fn hasFailed() -> bool { return atomicLoad(&meeting[0].y) != 0u; }
fn say(row: u32, words: vec3u) {
  atomicStore(&meeting[row].x, words.x);
  atomicStore(&meeting[row].y, words.y);
  atomicStore(&meeting[row].z, words.z);
  if (atomicLoad(&meeting[row].z) != words.z) { fail(); }
}
fn hear(row: u32) -> vec3u {
  return vec3u(atomicLoad(&meeting[row].x), atomicLoad(&meeting[row].y), atomicLoad(&meeting[row].z));
}
var<workgroup> hasMet: u32;
fn meetAll(lane: u32, after: u32) -> bool {
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&meeting[0].x, 1u);
    hasMet = 0u;
    for (var looks = ${MOST_LOOKS}u; looks > 0u; looks--) {
      if (i32(atomicLoad(&meeting[0].x) - after) >= 0) {
        hasMet = 1u;
        break;
      }
    }
    if (hasMet == 0u) { fail(); }
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}
`;
