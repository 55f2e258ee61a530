import type { KernelBuffer } from '../device/GpuKernel.js';
import { NOTE_FAST } from '../neighbors/displacementText.js';
import type { SeriesForm } from './seriesForm.js';

/** Looks at the counter after which a workgroup gives up: some tens of milliseconds on a card. */
const MOST_LOOKS = 100_000;

/** Bits of `met` that tell arrivals, as a number with a sign: more than there are workgroups. Then those for the votes of a meeting. */
const ARRIVAL_BITS = 12;
const VOTE_BITS = 10;

/** Words of a head. */
export const HEAD_WORDS = 32;

/** The buffer that workgroups meet by and share rows in, see `meetingText`. */
export const meetingBuffer: KernelBuffer = {
  name: 'meeting',
  type: 'Meeting',
  access: 'read_write',
  holds: 'how often workgroups have met, whether one waited in vain; rows that all of them see',
};

/** Rows of a line: no two workgroups write to one. */
export const LINE_ROWS = 8;

/** Bytes of a buffer for so many rows, and heads of groups of workgroups that meet each. */
export const meetingBytes = (rows: number, heads = 1): number => 4 * HEAD_WORDS * heads + 16 * rows;

/** WGSL that ends what a workgroup stores before a meeting, and counts it. @param count the statements of one thread */
const arrival = (count: string): string => `
  if (missed != 0u) { fail(); }
  storageBarrier();
  workgroupBarrier();
  if (lane == 0u) {
    ${count.trim()}
  }`;

/** WGSL by which one thread waits until the counter has reached `after`. @param found what `hasMet` is then, of what was counted `since` */
const waiting = (head: string, found: string): string => `
  if (lane == 0u) {
    hasMet = 0u;
    for (var looks = ${MOST_LOOKS}u; looks > 0u; looks--) {
      let since = atomicLoad(&${head}.met) - after;
      if (i32(since << ${32 - ARRIVAL_BITS}u) >= 0) {
        hasMet = ${found};
        break;
      }
    }
    if (hasMet == 0u) { fail(); }
  }`;

/**
 * WGSL of a barrier between all workgroups of a dispatch, which WebGPU lacks and does not promise to be possible: it waits for a
 * bounded time.
 *
 *   meeting.heads[k].met      how often a workgroup has come to a barrier; it is never set back, and wraps
 *   meeting.heads[k].failed   1 once a workgroup has waited too long, or has not found a row of another
 *   meeting.rows              rows that workgroups share
 *
 * `arrive(lane)` counts the workgroup. `haveMet(lane, after)` returns when the counter has reached `after`, in all threads; false where
 * it did not. Between the two there may be work that needs nothing of others. `meetAll(lane, after)` is both.
 *
 * `votingText` lets workgroups vote when they arrive.
 *
 * Rows are stored before a meeting, and others load them after it. WebGPU does not promise that they see them. So each row carries
 * the number of its meeting, and a thread that finds another number notes it. No row is written twice in a dispatch: caches hold no older one.
 */
export const meetingText = ({ head, heads }: SeriesForm): string => `
// A line of memory of its own.
struct Head { met: atomic<u32>, failed: atomic<u32>, unused: array<u32, ${HEAD_WORDS - 2}> }
struct Meeting { heads: array<Head, ${heads}>, rows: array<vec4u> }
// The count of the next meeting: rows that are stored now carry it.
var<private> storeRound: u32;
// That of the last one: rows that are loaded now must carry it.
var<private> loadRound: u32;
// Not 0 once a row had another number: it had not arrived.
var<private> missed: u32;
fn fail() { atomicStore(&${head}.failed, 1u); }
fn hasFailed() -> bool { return atomicLoad(&${head}.failed) != 0u; }
fn storeShared(row: u32, words: vec3u) { meeting.rows[row] = vec4u(words, storeRound); }
fn loadShared(row: u32) -> vec3u {
  let found = meeting.rows[row];
  missed |= found.w ^ loadRound;
  return found.xyz;
}
var<workgroup> hasMet: u32;
fn arrive(lane: u32) {${arrival(`atomicAdd(&${head}.met, 1u);`)}
}
fn haveMet(lane: u32, after: u32) -> bool {${waiting(head, '1u')}
  return workgroupUniformLoad(&hasMet) == 1u;
}
fn meetAll(lane: u32, after: u32) -> bool {
  arrive(lane);
  return haveMet(lane, after);
}
`;

/**
 * WGSL of meetings at which workgroups vote: `vote` and `haveVoted` in place of `arrive` and `haveMet`. Votes are counted in the same word as
 * arrivals, so that all workgroups find the same, with those that have arrived at the next meeting already:
 *
 *   met    arrivals │ votes of even meetings │ votes of odd ones
 *
 * A workgroup takes its vote back when it arrives at the meeting after the next: all have counted it then. The last meeting has no
 * votes, and `endVotes` comes after it. So between two dispatches there are arrivals alone.
 */
export const votingText = ({ head }: SeriesForm): string => `
var<workgroup> voice: atomic<u32>;
// Votes of this workgroup that stand: of the meeting before the last one, and of the last one.
var<private> votes: vec2u;
// Any thread may ask for its workgroup to vote.
fn askToVote() { atomicStore(&voice, 1u); }
// So it does where a particle has gone farther than tau.
fn ${NOTE_FAST}(row: vec4u, before: vec4u) { askToVote(); }
fn bitsOfVotes(meeting: u32) -> u32 { return ${ARRIVAL_BITS}u + ${VOTE_BITS}u * (meeting & 1u); }
fn vote(lane: u32, meetingNumber: u32, counts: bool) {${arrival(`
    let mine = select(0u, atomicLoad(&voice), counts) << bitsOfVotes(meetingNumber);
    atomicStore(&voice, 0u);
    atomicAdd(&${head}.met, 1u + mine - votes.x);
    votes = vec2u(votes.y, mine);`)}
}
fn endVotes(lane: u32) {
  if (lane == 0u && any(votes != vec2u(0u))) { atomicSub(&${head}.met, votes.x + votes.y); }
}
// 0 where workgroups did not meet, 1 where they did, 3 where one of them has voted.
fn haveVoted(lane: u32, after: u32, meetingNumber: u32) -> u32 {${waiting(head, `select(1u, 3u, ((since >> bitsOfVotes(meetingNumber)) & ${2 ** VOTE_BITS - 1}u) != 0u)`)}
  return workgroupUniformLoad(&hasMet);
}
`;

/** How workgroups meet after a step of a series, and what is before and after all steps. @param votes whether they vote */
export const stepEndText = (votes: boolean) =>
  votes
    ? {
        begin: `
  // Whether a workgroup has voted for other lists.
  var isAsked = false;`,
        arrive: 'vote(lane, step, step + 1u < steps);',
        meet: `let met = haveVoted(lane, storeRound, step);
    isWhole = met != 0u;
    isAsked = (met & 2u) != 0u;`,
        after: `
  if (isWhole) { endVotes(lane); }`,
      }
    : {
        begin: '',
        arrive: 'arrive(lane);',
        meet: 'isWhole = haveMet(lane, storeRound);',
        after: '',
      };
