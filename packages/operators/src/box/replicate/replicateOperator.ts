import { defineOperator } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { copyColumns } from '../../io/frames/fileColumns.js';
import { gatherParticles } from '../../run/gatherParticles.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { particlesChanged } from '../../sets/change/particlesChanged.js';
import { checkMemory } from '../../system/memoryNeeds.js';
import { idSpan, replicate } from './replicate.js';

export const replicateOperator = defineOperator({
  name: 'replicate',
  doc: 'Repeats the box and everything in it along its lattice vectors. All fields are copied; bonds across the box lead to the next copy.',
  slots: {
    repeat: {
      type: 'list',
      of: { type: 'integer', min: 1 },
      length: 3,
      required: true,
      doc: 'boxes along the three lattice vectors',
    },
  },
  requires: [gridKey],
  async execute({ slots, state }) {
    const grid = state.get(gridKey);
    const repeat = slots.repeat as unknown as readonly [number, number, number];
    const copies = repeat[0] * repeat[1] * repeat[2];
    checkMemory(state, { count: copies * grid.total, volume: copies * grid.domain.volume });
    await newestOnHost(grid, contextOf(state));
    gatherParticles(state);
    const present = grid.values('id').sort();
    copyColumns(state, present, { copies, span: idSpan(grid) });
    replicate(grid, repeat);
    particlesChanged(state);
  },
});
