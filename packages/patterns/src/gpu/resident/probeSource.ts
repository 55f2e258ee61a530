import type { KernelSource } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import { LINE_ROWS, meetingBuffer, meetingText } from './meetingText.js';
import { ofSimulation } from './seriesForm.js';

/** Meetings of the probe. */
export const ROUNDS = 64;

/** Rows that it shares. */
export const probeRows = (workgroups: number): number => LINE_ROWS * workgroups * ROUNDS;

/**
 * Tries whether workgroups meet on a device, and whether each then sees what the others have stored: as in a series of steps, in
 * other rows of `meeting` each time. Where that fails, what comes after finds it noted, and the host takes the steps another way.
 */
export const probeSource: KernelSource = {
  label: 'resident: probe',
  about: `Tries whether all workgroups can meet, and see what the others have stored.
  store     each workgroup stores words of this round
  meet      all wait for all
  look      the words of all others must be there`,
  workgroupSize: LANES,
  buffers: [meetingBuffer],
  params: { steps: 'u32', met: 'u32', probed: 'u32' },
  declarations: `${meetingText(ofSimulation)}
fn wordsOf(round: u32, other: u32) -> vec3u { return vec3u(round * 747796405u + other) + vec3u(0u, 1u, 2u); }`,
  body: `
  let groups = groups3.x;
  storeRound = P.probed;
  var isWhole = true;
  for (var round = 0u; round < ${ROUNDS}u && isWhole; round++) {
    let first = ${LINE_ROWS}u * groups * round;
    storeRound += groups;
    if (lane < ${LINE_ROWS}u) { storeShared(first + ${LINE_ROWS}u * group + lane, wordsOf(round, group)); }
    isWhole = meetAll(lane, storeRound);
    loadRound = storeRound;
    for (var other = lane; other < groups && isWhole; other += ${LANES}u) {
      if (any(loadShared(first + ${LINE_ROWS}u * other + lane % ${LINE_ROWS}u) != wordsOf(round, other))) { fail(); }
    }
  }`,
};
