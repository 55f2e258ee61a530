import { CorpuscleError, defineOperator } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { copyColumns } from '../../io/frames/fileColumns.js';
import { gatherParticles } from '../../run/gatherParticles.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { particlesChanged } from '../../sets/change/particlesChanged.js';
import { checkMemory } from '../../system/memoryNeeds.js';
import { boxReplaced } from '../newBox.js';
import { settledBox } from '../RunBox.js';
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
  prepare: () => ({ times: 0 }),
  async execute({ slots, state, own }) {
    await settledBox(state);
    const grid = state.get(gridKey);
    const repeat = slots.repeat as unknown as readonly [number, number, number];
    const copies = repeat[0] * repeat[1] * repeat[2];
    try {
      checkMemory(state, { count: copies * grid.total, volume: copies * grid.domain.volume });
    } catch (error) {
      throw saidAgain(error, own.times);
    }
    own.times++;
    await newestOnHost(grid, contextOf(state));
    gatherParticles(state);
    const present = grid.values('id').sort();
    copyColumns(state, present, { copies, span: idSpan(grid) });
    replicate(grid, repeat);
    boxReplaced(state);
    particlesChanged(state);
  },
});

/** The error of boxes that became too large, as a condition holds again and again. */
function saidAgain(error: unknown, times: number): unknown {
  if (times === 0 || !(error instanceof CorpuscleError)) return error;
  const often = times === 1 ? 'once' : `${times} times`;
  return new CorpuscleError(
    error.code,
    `replicate has repeated the box ${often} in this run, give it a condition that holds once: ${error.message}`,
  );
}
