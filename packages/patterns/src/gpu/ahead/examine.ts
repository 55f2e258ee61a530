import { RECORD_WORDS } from '../neighbours/motionText.js';
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

/**
 * Reads the records of the updates that have been made.
 * @param skin by which the lists reach farther than the cutoff.
 */
export function examine(stretch: Stretch, words: Uint32Array, skin: number): Findings {
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
    ages.push({ age: step.age, distance });
    if (isTooFar(distance, skin)) interval = Math.min(interval, step.age);
  }
  return { brokenAt, longest, interval, ages };
}
