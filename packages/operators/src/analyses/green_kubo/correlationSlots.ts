import type { SlotSpecs } from '@corpuscle/core';
import { evenFrameSlots } from '../../run/frameSlots.js';

/** Slots of an operator of Green and Kubo. @param coefficient as the table names it */
export const correlationSlots = (coefficient: string) =>
  ({
    lags: {
      type: 'integer',
      min: 1,
      max: 100_000,
      default: 200,
      doc: 'the longest lag, in samples',
    },
    file: {
      type: 'file',
      mode: 'write',
      required: true,
      doc: `a table by lag; JSON with ${coefficient} when it is called *.json`,
    },
    plot: { type: 'file', mode: 'write', doc: `an SVG of the running ${coefficient}` },
    ...evenFrameSlots('frames'),
  }) as const satisfies SlotSpecs;
