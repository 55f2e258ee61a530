import { type Domain, type SimulationState, stateKey } from '@corpuscle/core';
import { dropForces, dropLists } from '../run/freshness.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { findRunBox } from './RunBox.js';
import { type Remap, setBox } from './setBox.js';

const boxCallsKey = stateKey<true>(
  'calls of a box',
  'operators whose calls depend on it note them',
);

/** Notes that calls of the run are prepared for a box, and are to be renewed with it. */
export const renewWithBox = (state: SimulationState): void => state.set(boxCallsKey, true);

const newBoxesKey = stateKey<number>('new boxes', 'operators that replace the box count them');

/** How many boxes have been given to the particles otherwise than by the strain of a device. */
export const newBoxes = (state: SimulationState): number => state.find(newBoxesKey) ?? 0;

/** Tells those who follow the box of a run that it is another one. */
export function boxReplaced(state: SimulationState): void {
  state.set(newBoxesKey, newBoxes(state) + 1);
  findRunBox(state)?.replaced();
}

/**
 * Gives the particles of a run another box; what was computed in the old one is known to be stale. Where a barostat may have
 * deformed the box, await `settledBox` before.
 */
export function newBox(state: SimulationState, domain: Domain, remap: Remap): void {
  setBox(state.get(gridKey), contextOf(state), domain, remap);
  boxReplaced(state);
  dropLists(state);
  dropForces(state);
  if (state.find(boxCallsKey)) state.renewCalls();
}
