import { defineOperator } from '@corpuscle/core';
import { currentLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { gridKey, planKey } from './stateKeys.js';

/** `update_neighbors`: makes the neighbor lists good for the present positions. */
export const updateNeighborsOperator = defineOperator({
  name: 'update_neighbors',
  aliases: ['update_neighbours'],
  doc: 'Rebuilds the neighbor lists when a particle has moved more than half the skin since they were built.',
  slots: {},
  requires: [gridKey],
  calls({ state }) {
    const lists = state.find(planKey)?.lists;
    return lists && lists.rcut > 0 ? [lists.call] : null;
  },
  execute({ state }) {
    const plan = state.find(planKey);
    if (!plan) return currentLists(state);
    const { lists } = plan;
    if (lists.rcut === 0) return undefined;
    const checked = lists.update(state.step);
    stampLists(state, lists.rcut);
    return checked;
  },
});
