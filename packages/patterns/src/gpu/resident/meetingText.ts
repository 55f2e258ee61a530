import type { KernelBuffer } from '../device/GpuKernel.js';

/** Looks at the counter after which a workgroup gives up: some tens of milliseconds on a card. */
const MOST_LOOKS = 100_000;

/** The buffer that workgroups meet by, see `meetingText`. */
export const meetingBuffer: KernelBuffer = {
  name: 'meeting',
  type: 'array<atomic<u32>>',
  access: 'read_write',
  holds: 'workgroups that have come to a barrier so far; whether one ever failed',
};

/** Whether the device did not keep workgroups together, in word 1 of `meetingBuffer`. */
export const FAILED_WORD = 1;

/**
 * WGSL of a barrier between all workgroups of a dispatch, which WebGPU lacks and does not promise to be possible: it waits for a
 * bounded time.
 *
 *   meeting[0]   how often a workgroup has come to a barrier; it is never set back, and wraps
 *   meeting[1]   1 once a workgroup has waited in vain
 *
 * `meetAll(lane, after)` returns when the counter has reached `after`, in all threads; false where it did not.
 * What others shall see must be stored in atomics, and read back once by the thread that stored it: so it has arrived.
 */
export const meetingText = `
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
    if (looks == 0u) { atomicStore(&meeting[${FAILED_WORD}], 1u); }
    hasMet = select(0u, 1u, looks > 0u);
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}
`;
