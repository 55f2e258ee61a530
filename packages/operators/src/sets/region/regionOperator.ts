import { defineOperator } from '@corpuscle/core';
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
  executesOnResume: true,
  execute({ slots, state }) {
    const regions = state.obtain(regionsKey, () => new Map<string, RegionExpression>());
    regions.set(slots.name, slots.shape as RegionExpression);
  },
});
