import { type CorpuscleError, knownSlots, operatorsOf, type Simulation } from '@corpuscle/core';
import { loopsOf } from '../barostats/checkBarostats.js';
import { known } from '../run/cutoffs.js';
import { timeUnknown } from './physicalTime.js';

/** Operators that need time steps of one length, in loops whose integrator chooses them. */
export function checkEvenSteps({ root }: Simulation): readonly CorpuscleError[] {
  const found = new Map<string, CorpuscleError>();
  for (const loop of loopsOf(root)) {
    const nodes = [...operatorsOf(loop)];
    if (!nodes.some((node) => known(node, 'measured')?.value === true)) continue;
    for (const node of nodes) {
      const { definition, location } = node;
      const what = definition.needsEvenSteps?.(knownSlots(node));
      // Steps within a step name an operator of the file several times.
      const place = `${location?.file}:${location?.line}:${location?.column}`;
      if (what !== undefined) found.set(place, timeUnknown(what, location));
    }
  }
  return [...found.values()];
}
