import { defineOperator, dimensions } from '@corpuscle/core';
import { computeCellParticles } from '@corpuscle/patterns';
import { checkUpdates, refreshLists } from '../dynamics/checkRun.js';
import { kick, kickDrift } from '../integrate/velocityVerlet.js';
import { beginForces } from './currentLedger.js';
import { currentLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import { contextOf, gridKey, ledgerKey, planKey, statisticsKey } from './stateKeys.js';

const dt = {
  type: 'quantity',
  dimension: dimensions.time,
  above: 0,
  required: true,
  doc: 'time step',
} as const;

export const pushVelocityAndPosition = defineOperator({
  name: 'push_velocity_and_position',
  doc: 'First half of a velocity Verlet step: v += (dt/2) f/m, then r += dt v.',
  slots: { dt },
  requires: [gridKey],
  execute({ slots, state }) {
    const params = { dt: slots.dt, halfDt: slots.dt / 2 };
    computeCellParticles(state.get(gridKey), kickDrift, contextOf(state), { params });
  },
});

export const pushVelocity = defineOperator({
  name: 'push_velocity',
  doc: 'Second half of a velocity Verlet step: v += (dt/2) f/m with the new forces.',
  slots: { dt },
  requires: [gridKey],
  execute({ slots, state }) {
    const params = { halfDt: slots.dt / 2 };
    computeCellParticles(state.get(gridKey), kick, contextOf(state), { params });
  },
});

export const updateNeighboursOperator = defineOperator({
  name: 'update_neighbours',
  doc: 'Rebuilds the neighbour lists when a particle has moved more than half the skin since they were built.',
  slots: {},
  requires: [gridKey],
  execute({ state }) {
    const plan = state.find(planKey);
    if (!plan) return currentLists(state);
    if (plan.rcut === 0) return undefined;
    const grid = state.get(gridKey);
    const ctx = contextOf(state);
    const update = refreshLists(grid, ctx, plan, state.step);
    stampLists(state);
    // Awaiting would make the device wait for the host: what is under way is counted when it is done.
    const { updates } = state.get(statisticsKey);
    updates.add(state.step, update);
    return checkUpdates(updates, grid, ctx);
  },
});

export const zeroForce = defineOperator({
  name: 'zero_force',
  doc: 'Clears forces and particle energies, before the force operators add theirs.',
  slots: {},
  requires: [gridKey],
  provides: [ledgerKey],
  execute({ state }) {
    beginForces(state);
  },
});
