import type { SimulationState } from '@corpuscle/core';
import { contextOf, gridKey } from './stateKeys.js';

/**
 * Gives each process that shares a run all particles, in the order of ids, as it has them during set-up: for what makes or takes
 * away particles. The next lists divide them anew.
 *
 * @returns whether it had only some of them, so that row numbers have changed
 */
export function gatherParticles(state: SimulationState): boolean {
  const { host } = contextOf(state).engines;
  const grid = state.get(gridKey);
  if (!host.copyWhole || grid.wholeDomain === grid.domain) return false;
  const whole = host.copyWhole(grid);
  grid.domain = whole.domain;
  grid.resize(whole.count);
  for (const [name, { array, spec }] of whole.blocks) {
    const block = grid.block(name);
    const values = array.subarray(0, whole.count * spec.width);
    (block.array as Float64Array).set(values as Float64Array);
    block.rewritten();
  }
  whole.free();
  return true;
}
