import { passOutcome } from '../../pattern/handles.js';
import { RECORD_WORDS } from '../neighbours/motionText.js';
import { isTooFar } from '../neighbours/Neighbours.js';
import type { Stretch } from './Stretch.js';

/**
 * Gives the results of a stretch that has proved good to those who asked for them; what has been passed on is left out.
 * @param words its records. @param brokenAt the first update that found a position that is no number.
 */
export function passOn(stretch: Stretch, words: Uint32Array, brokenAt: number): void {
  const distances = new Float32Array(words.buffer);
  for (let k = stretch.passedOn; k < stretch.steps.length; k++) {
    const step = stretch.steps[k]!;
    if (step.kind === 'update') {
      const before = step.slot === 0 ? stretch.movedBefore : null;
      const moved = Math.sqrt(before ?? distances[RECORD_WORDS * step.slot] ?? 0);
      const maxDisplacement = step.slot >= brokenAt ? Infinity : moved;
      const reason = step.rebuilt
        ? 'by the interval that was learnt'
        : isTooFar(moved, stretch.skin)
          ? 'no pair that is not listed came within the cutoff'
          : 'no particle moved more than half the skin';
      step.result.resolve({ rebuilt: step.rebuilt, reason, maxDisplacement });
    } else if (step.kind !== 'cell' && step.result) {
      passOutcome(step.attempt!, step.result);
    }
  }
  stretch.passedOn = stretch.steps.length;
}
