import { defineOperator } from '@corpuscle/core';
import { checkUpdates, type ListOptions, refreshLists } from './checkRun.js';
import { currentLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { contextOf, gridKey, planKey, type RunPlan, statisticsKey } from './stateKeys.js';
import { unchanging } from './unchanging.js';

export const updateNeighboursOperator = defineOperator({
  name: 'update_neighbours',
  doc: 'Rebuilds the neighbour lists when a particle has moved more than half the skin since they were built.',
  slots: {},
  requires: [gridKey],
  prepare: () =>
    unchanging(({ rcut, skin }: RunPlan): ListOptions => ({ rcut, skin, ahead: true })),
  execute({ state, own }) {
    const plan = state.find(planKey);
    if (!plan) return currentLists(state);
    if (plan.rcut === 0) return undefined;
    const grid = state.get(gridKey);
    const ctx = contextOf(state);
    const update = refreshLists(grid, ctx, own(plan), state.step);
    stampLists(state);
    // Awaiting would make the device wait for the host: what is under way is counted when it is done.
    const { updates } = state.get(statisticsKey);
    updates.add(state.step, update);
    return checkUpdates(updates, grid, ctx);
  },
});
