import { defineOperator, dimensions } from '@corpuscle/core';
import { computeCellParticles } from '@corpuscle/patterns';
import { checkUpdates, type ListOptions, refreshLists } from '../dynamics/checkRun.js';
import { frozen } from '../forces/frozen.js';
import { kick, kickDrift } from '../integrate/velocityVerlet.js';
import { beginForces } from './currentLedger.js';
import { currentLists } from './currentLists.js';
import { stampLists } from './freshness.js';
import {
  contextOf,
  gridKey,
  ledgerKey,
  planKey,
  type RunPlan,
  statisticsKey,
} from './stateKeys.js';

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
  prepare: () => unchanging((dt: number) => ({ params: { dt, halfDt: dt / 2 } })),
  execute({ slots, state, own }) {
    computeCellParticles(state.get(gridKey), kickDrift, contextOf(state), own(slots.dt));
  },
});

export const pushVelocity = defineOperator({
  name: 'push_velocity',
  doc: 'Second half of a velocity Verlet step: v += (dt/2) f/m with the new forces.',
  slots: { dt },
  requires: [gridKey],
  prepare: () => unchanging((dt: number) => ({ params: { halfDt: dt / 2 } })),
  execute({ slots, state, own }) {
    computeCellParticles(state.get(gridKey), kick, contextOf(state), own(slots.dt));
  },
});

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

/** A function that gives the same object again for the value of before, so that a step that is like the one before makes none. */
function unchanging<K, R>(make: (from: K) => R): (from: K) => R {
  let last: { readonly from: K; readonly made: R } | null = null;
  return (from) => {
    if (!last || last.from !== from) last = { from, made: frozen(make(from)) };
    return last.made;
  };
}
