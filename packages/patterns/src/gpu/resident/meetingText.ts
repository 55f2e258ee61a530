import type { KernelBuffer } from '../device/GpuKernel.js';

/** Looks at the counter after which a workgroup gives up: some tens of milliseconds on a card. */
const MOST_LOOKS = 100_000;

/** The buffer that workgroups meet by and share rows in, see `meetingText`. */
export const meetingBuffer: KernelBuffer = {
  name: 'meeting',
  type: 'Meeting',
  access: 'read_write',
  holds: 'how often workgroups have met, whether one waited in vain; rows that all of them see',
};

/** Bytes before the rows: a line of memory of their own. */
const HEAD_BYTES = 128;
/** Rows of a line: no two workgroups write to one. */
export const LINE_ROWS = 8;

/** Bytes of a buffer for so many rows. */
export const meetingBytes = (rows: number): number => HEAD_BYTES + 16 * rows;

/**
 * WGSL of a barrier between all workgroups of a dispatch, which WebGPU lacks and does not promise to be possible: it waits for a
 * bounded time.
 *
 *   meeting.met      how often a workgroup has come to a barrier; it is never set back, and wraps
 *   meeting.failed   1 once a workgroup has waited too long, or has not found a row of another
 *   meeting.rows     rows that workgroups share
 *
 * `arrive(lane)` counts the workgroup. `haveMet(lane, after)` returns when the counter has reached `after`, in all threads; false where
 * it did not. Between the two there may be work that needs nothing of others. `meetAll(lane, after)` is both.
 *
 * Rows are stored before a meeting, and others load them after it. WebGPU does not promise that they see them. So each row carries
 * the number of its meeting, and a thread that finds another number notes it. No row is written twice in a dispatch: caches hold no older one.
 */
export const meetingText = `
struct Meeting { met: atomic<u32>, failed: atomic<u32>, unused: array<u32, ${HEAD_BYTES / 4 - 2}>, rows: array<vec4u> }
// The count of the next meeting: rows that are stored now carry it.
var<private> storeRound: u32;
// That of the last one: rows that are loaded now must carry it.
var<private> loadRound: u32;
// Not 0 once a row had another number: it had not arrived.
var<private> missed: u32;
fn fail() { atomicStore(&meeting.failed, 1u); }
fn hasFailed() -> bool { return atomicLoad(&meeting.failed) != 0u; }
fn storeShared(row: u32, words: vec3u) { meeting.rows[row] = vec4u(words, storeRound); }
fn loadShared(row: u32) -> vec3u {
  let found = meeting.rows[row];
  missed |= found.w ^ loadRound;
  return found.xyz;
}
var<workgroup> hasMet: u32;
fn arrive(lane: u32) {
  if (missed != 0u) { fail(); }
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) { atomicAdd(&meeting.met, 1u); }
}
fn haveMet(lane: u32, after: u32) -> bool {
  if (lane == 0u) {
    hasMet = 0u;
    for (var looks = ${MOST_LOOKS}u; looks > 0u; looks--) {
      if (i32(atomicLoad(&meeting.met) - after) >= 0) {
        hasMet = 1u;
        break;
      }
    }
    if (hasMet == 0u) { fail(); }
  }
  return workgroupUniformLoad(&hasMet) == 1u;
}
fn meetAll(lane: u32, after: u32) -> bool {
  arrive(lane);
  return haveMet(lane, after);
}
`;
