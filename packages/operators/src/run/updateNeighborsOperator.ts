import { defineOperator, type SimulationState } from '@corpuscle/core';
import { currentLists } from './currentLists.js';
import { areUnlisted, stampLists } from './freshness.js';
import { gridKey, planKey } from './stateKeys.js';

/** `update_neighbors`: makes the neighbor lists good for the present positions. */
export const updateNeighborsOperator = defineOperator({
  name: 'update_neighbors',
  aliases: ['update_neighbours'],
  doc: 'Rebuilds the neighbor lists when a particle has moved more than half the skin since they were built.',
  slots: {},
  requires: [gridKey],
  calls({ state }) {
    const plan = state.find(planKey);
    if (!plan) return null;
    const { lists, crossFaces } = plan;
    const calls = [...(crossFaces?.() ?? []), ...(lists.rcut > 0 ? [lists.call] : [])];
    return calls.length > 0 ? calls : null;
  },
  execute({ state }) {
    for (const call of state.find(planKey)?.crossFaces?.() ?? []) call.run();
    return update(state);
  },
});

function update(state: SimulationState): void | Promise<void> {
  const plan = state.find(planKey);
  if (!plan || areUnlisted(state)) return currentLists(state);
  const { lists } = plan;
  if (lists.rcut === 0) return undefined;
  const checked = lists.update(state.step);
  stampLists(state, lists.rcut);
  return checked;
}
