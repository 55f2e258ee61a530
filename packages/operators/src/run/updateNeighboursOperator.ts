import { defineOperator } from '@corpuscle/core';
import { checkUpdates, refreshLists } from './checkRun.js';
import { currentLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { contextOf, gridKey, planKey, statisticsKey } from './stateKeys.js';

export const updateNeighboursOperator = defineOperator({
  name: 'update_neighbours',
  doc: 'Rebuilds the neighbour lists when a particle has moved more than half the skin since they were built.',
  slots: {},
  requires: [gridKey],
  execute({ state }) {
    const plan = state.find(planKey);
    if (!plan) return currentLists(state);
    const { lists } = plan;
    if (lists.rcut === 0) return undefined;
    const grid = state.get(gridKey);
    const ctx = contextOf(state);
    const update = refreshLists(grid, ctx, lists.options, state.step);
    stampLists(state, lists.rcut);
    // Awaiting would make the device wait for the host: what is under way is counted when it is done.
    const { updates } = state.get(statisticsKey);
    updates.add(state.step, update);
    return checkUpdates(updates, grid, ctx);
  },
});
