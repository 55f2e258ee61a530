import { defineOperator, dimensions } from '@corpuscle/core';
import { computeCellParticles } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { unchanging } from '../../run/unchanging.js';
import { kick, kickDrift } from './velocityVerlet.js';

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
  functors: [kickDrift],
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
  functors: [kick],
  prepare: () => unchanging((dt: number) => ({ params: { halfDt: dt / 2 } })),
  execute({ slots, state, own }) {
    computeCellParticles(state.get(gridKey), kick, contextOf(state), own(slots.dt));
  },
});
