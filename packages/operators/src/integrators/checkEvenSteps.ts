import { type CorpuscleError, knownSlots, type Simulation } from '@corpuscle/core';
import { known } from '../run/cutoffs.js';
import { loopsIn, ofPasses } from '../run/loops.js';
import { onePerPlace } from '../run/places.js';
import { timeUnknown } from './physicalTime.js';

/** Operators that need time steps of one length, in loops whose integrator chooses them. */
export function checkEvenSteps({ root }: Simulation): readonly CorpuscleError[] {
  const found = loopsIn(root).flatMap((loop) => {
    const nodes = ofPasses(loop);
    if (!nodes.some((node) => known(node, 'measured')?.value === true)) return [];
    return nodes.flatMap((node) => {
      const what = node.definition.needsEvenSteps?.(knownSlots(node));
      return what === undefined ? [] : [timeUnknown(what, node.location)];
    });
  });
  return onePerPlace(found);
}
