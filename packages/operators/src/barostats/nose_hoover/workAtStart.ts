import { knownSlots, operatorsOf, type SimulationState } from '@corpuscle/core';
import { couplingOf } from '../../box/coupling.js';
import { gridKey } from '../../run/stateKeys.js';
import { meanPressure, type Pressures } from '../pressures.js';

/**
 * P V of the barostat that acts from the first step on, before that step: nothing is prepared for it yet, and a first row has it
 * all the same. 0 where the first scheme has none.
 */
export function workAtStart(state: SimulationState): number {
  let schemes = 0;
  for (const node of operatorsOf(state.simulation.root)) {
    const { name } = node.definition;
    if (name === 'next_time_step' && schemes++ > 0) return 0;
    if (name !== 'nose_hoover_move') continue;
    const slots = knownSlots(node) as Parameters<typeof couplingOf>[0] & { pressure?: Pressures };
    if (slots.pressure === undefined) return 0;
    const [first] = meanPressure(slots.pressure, couplingOf(slots));
    return first * state.get(gridKey).wholeDomain.volume;
  }
  return 0;
}
