import type { NeighborUpdate } from '../../plan/calls.js';
import { STRAINED } from '../box/strainText.js';
import { ASTRAY, builtIn, MET, RECORD_WORDS, STOPPED } from '../neighbors/displacementText.js';
import { isBeyond } from '../neighbors/fastLimits.js';
import { isTooFar } from '../neighbors/staleLists.js';
import type { ListAge } from './listAge.js';
import type { ListFindings } from './RebuildInterval.js';
import type { SpeculationWindow, UpdateRecord } from './SpeculationWindow.js';

/** What the records of a window say about its neighbor lists. */
export interface Findings extends ListFindings {
  /** The first update that found a position that is no number, Infinity if none did: nothing is gained by repeating. */
  readonly brokenAt: number;
  /** The largest number of neighbors that a rebuild found. */
  readonly longest: number;
  /** Whether the box was deformed by more than lists allow for. */
  readonly isStrained: boolean;
  /** Whether a dispatch of many steps was given up: nothing else counts. */
  readonly isStopped: boolean;
  /** Whether a particle was too far outside of the box for a build in place. */
  readonly hasStrayed: boolean;
  /** Whether no vote told that a build was due. */
  readonly hasLostVote: boolean;
}

/** Reads the records of the updates that have been made. */
export function examine(window: SpeculationWindow, words: Uint32Array): Findings {
  const distances = new Float32Array(words.buffer);
  const ages: ListAge[] = [];
  let { interval } = window;
  let longest = 0;
  let brokenAt = Infinity;
  let isStrained = false;
  let isStopped = false;
  let hasStrayed = false;
  let hasLostVote = false;
  // Updates since the last planned build when the device built by itself.
  let builtAt = 0;
  for (const { updates } of window.entries)
    for (const record of updates) {
      const at = RECORD_WORDS * record.slot;
      const word = words[at + 3]!;
      if (words[at + 1] !== 0) brokenAt = Math.min(brokenAt, record.slot);
      if (word & STRAINED) isStrained = true;
      if (word & STOPPED) isStopped = true;
      if (word & ASTRAY) hasStrayed = true;
      longest = Math.max(longest, words[at + 2]!);
      const distance = Math.sqrt(distances[at]!);
      if (record.rebuilds) {
        // Where each update rebuilds, there is no other age to learn from.
        if (window.interval === 1 && record.slot > 0) ages.push({ age: 1, distance });
        builtAt = 0;
        continue;
      }
      const limits = record.listsFast ? window.fast : null;
      // How many are counted beyond a full list depends on which came first.
      const fast = limits ? Math.min(word % STOPPED, limits.mostFast + 1) : 0;
      const age = { age: record.age - builtAt, distance, fast };
      const isBuilt = builtIn(word) > 0;
      if (isBuilt) builtAt = record.age;
      if (age.age < window.interval) ages.push(isBuilt ? prolonged(age, window.interval - 1) : age);
      if (isBuilt || !isTooFar(distance, window.skin)) continue;
      // A list may be good although a particle has moved more than half the skin: see `FastLimits`.
      const isKnown = limits && word < MET && fast <= limits.mostFast;
      if (isKnown && !isBeyond(distance, limits.skin - limits.tau)) continue;
      if (record.votes) hasLostVote = true;
      interval = Math.min(interval, age.age);
    }
  return { brokenAt, longest, interval, ages, isStrained, isStopped, hasStrayed, hasLostVote };
}

/** What a list that was given up early would have shown later. */
const prolonged = ({ age, distance }: ListAge, late: number): ListAge => ({
  age: late,
  distance: (distance * late) / age,
});

/** What an update found, for those who asked for it. */
export function foundBy(
  window: SpeculationWindow,
  words: Uint32Array,
  brokenAt: number,
): (record: UpdateRecord) => NeighborUpdate {
  const distances = new Float32Array(words.buffer);
  return ({ slot, rebuilds }) => {
    const isVoted = !rebuilds && builtIn(words[RECORD_WORDS * slot + 3]!) > 0;
    const rebuilt = rebuilds || isVoted;
    const before = slot === 0 ? window.movedBefore : null;
    const moved = Math.sqrt(before ?? distances[RECORD_WORDS * slot] ?? 0);
    const reason = rebuilds
      ? 'by the interval that was learned'
      : isVoted
        ? 'a particle moved half the skin'
        : isTooFar(moved, window.skin)
          ? 'no pair that is not listed came within the cutoff'
          : 'no particle moved more than half the skin';
    return { rebuilt, reason, maxDisplacement: slot >= brokenAt ? Infinity : moved };
  };
}
