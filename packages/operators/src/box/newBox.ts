import type { Domain, SimulationState } from '@corpuscle/core';
import { dropForces, dropLists } from '../run/freshness.js';
import { contextOf, gridKey } from '../run/stateKeys.js';
import { type Remap, setBox } from './setBox.js';

/** Gives the particles of a run another box; what was computed in the old one is known to be stale. */
export function newBox(state: SimulationState, domain: Domain, remap: Remap): void {
  setBox(state.get(gridKey), contextOf(state), domain, remap);
  dropLists(state);
  dropForces(state);
}
