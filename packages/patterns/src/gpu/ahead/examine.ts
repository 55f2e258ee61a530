import { isBeyond } from '../neighbours/fastLimits.js';
import { MET, RECORD_WORDS } from '../neighbours/motionText.js';
import { isTooFar } from '../neighbours/Neighbours.js';
import type { Age } from './intervalPolicy.js';
import type { Stretch } from './Stretch.js';

/** What the records of a stretch say about its neighbour lists. */
export interface Findings {
  /** The first update that found a position that is no number, Infinity if none did: nothing is gained by repeating. */
  readonly brokenAt: number;
  /** The largest number of neighbours that a rebuild found. */
  readonly longest: number;
  /** The interval at which no list would have been used too long; that of the stretch where none was. */
  readonly interval: number;
  readonly ages: readonly Age[];
}

/** Reads the records of the updates that have been made. */
export function examine(stretch: Stretch, words: Uint32Array): Findings {
  const distances = new Float32Array(words.buffer);
  const ages: Age[] = [];
  let { interval } = stretch;
  let longest = 0;
  let brokenAt = Infinity;
  for (const step of stretch.steps) {
    if (step.kind !== 'update') continue;
    const at = RECORD_WORDS * step.slot;
    if (words[at + 1] !== 0) brokenAt = Math.min(brokenAt, step.slot);
    longest = Math.max(longest, words[at + 2]!);
    if (step.rebuilt) continue;
    const distance = Math.sqrt(distances[at]!);
    const word = words[at + 3]!;
    const all = step.listsFast && stretch.fast ? word % MET : 0;
    // Beyond the room it depends on who came first how many have been counted.
    const fast = Math.min(all, (stretch.fast?.room ?? 0) + 1);
    ages.push({ age: step.age, distance, fast });
    const isGood =
      !isTooFar(distance, stretch.skin) ||
      (step.listsFast && staysGood(stretch, { distance, fast, met: word >= MET }));
    if (!isGood) interval = Math.min(interval, step.age);
  }
  return { brokenAt, longest, interval, ages };
}

/** Whether a list is good although a particle has moved more than half the skin: see `FastLimits`. */
function staysGood(
  { fast: limits }: Stretch,
  { distance, fast, met }: { distance: number; fast: number; met: boolean },
): boolean {
  if (!limits || met) return false;
  return fast <= limits.room && !isBeyond(distance, limits.skin - limits.tau);
}
