import type { KernelBuffer } from '../device/GpuKernel.js';

/** Looks at the counter after which a workgroup gives up: some tens of milliseconds on a card. */
const MOST_LOOKS = 100_000;

/** The buffer that workgroups meet by and share words in, see `meetingText`. */
export const meetingBuffer: KernelBuffer = {
  name: 'meeting',
  type: 'array<atomic<u32>>',
  access: 'read_write',
  holds: 'how often workgroups have met, whether one waited in vain; what all of them see',
};

/** The word of `meeting` that says whether a workgroup has waited in vain. */
const FAILED_WORD = 1;
/** The first word of `meeting` that workgroups share what they like in: counters have a line of memory of their own. */
export const FIRST_SHARED = 64;

/**
 * WGSL of a barrier between all workgroups of a dispatch, which WebGPU lacks and does not promise to be possible: it waits for a
 * bounded time.
 *
 *   meeting[0]    how often a workgroup has come to a barrier; it is never set back, and wraps
 *   meeting[1]    1 once a workgroup has waited in vain
 *   meeting[64]   and so on: words that workgroups share, see `say`
 *
 * `meetAll(lane, after)` returns when the counter has reached `after`, in all threads; false where it did not.
 * What others shall see after a meeting is stored by `say(word, value)`, which reads it back: so it has arrived.
 */
export const meetingText = `
fn fail() { atomicStore(&meeting[${FAILED_WORD}], 1u); }
fn say(word: u32, value: u32) {
  atomicStore(&meeting[word], value);
  if (atomicLoad(&meeting[word]) != value) { fail(); }
}
var<workgroup> hasMet: u32;
fn meetAll(lane: u32, after: u32) -> bool {
  workgroupBarrier();
  if (lane == 0u) {
    atomicAdd(&meeting[0], 1u);
    var looks = ${MOST_LOOKS}u;
    for (; looks > 0u; looks--) {
      if (i32(atomicLoad(&meeting[0]) - after) >= 0) { break; }
      if (atomicLoad(&meeting[${FAILED_WORD}]) != 0u) { looks = 1u; }
    }
    if (looks == 0u) { fail(); }
    hasMet = select(0u, 1u, looks > 0u);
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}
`;
