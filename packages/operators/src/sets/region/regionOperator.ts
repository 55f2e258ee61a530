import { defineOperator, type SimulationState } from '@corpuscle/core';
import type { RegionExpression } from './Region.js';
import { regionsKey } from './Regions.js';
import { regionSpec } from './regionSpec.js';

/** `region`: names a part of space. */
export const regionOperator = defineOperator({
  name: 'region',
  doc: 'Names a part of space, or the particles with some property, for slots that take a region.',
  slots: {
    name: { type: 'string', required: true, doc: 'name of the region' },
    shape: { ...regionSpec, required: true, doc: 'what it is' },
  },
  hostOnly: true,
  // In a run that goes on operators that are prepared after it name it.
  prepare({ slots, state }) {
    if (state.isResuming) name(state, slots.name, slots.shape as RegionExpression);
  },
  execute({ slots, state }) {
    name(state, slots.name, slots.shape as RegionExpression);
  },
  save: ({ slots }) => ({ region: slots.name }),
  restore() {},
});

function name(state: SimulationState, region: string, shape: RegionExpression): void {
  state.obtain(regionsKey, () => new Map<string, RegionExpression>()).set(region, shape);
}
