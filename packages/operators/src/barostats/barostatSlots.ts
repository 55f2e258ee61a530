import { dimensions, type SlotSpecs } from '@corpuscle/core';
import { timeStep } from '../run/timeStep.js';
import { pressureSlot } from './pressures.js';

/** Slots of barostats that act at the end of a step. */
export const barostatSlots = {
  pressure: pressureSlot,
  compressibility: {
    type: 'quantity',
    dimension: dimensions.compressibility,
    above: 0,
    doc: 'isothermal compressibility of the system; only how fast the box follows depends on it. Default: a tenth of that of an ideal gas at the first step',
  },
  every: { type: 'integer', min: 1, default: 1, doc: 'steps between two changes of the box' },
  dt: timeStep,
} as const satisfies SlotSpecs;

/** A tenth of the compressibility of an ideal gas: so stiff are simple liquids. */
export const liquidCompressibility = (volume: number, count: number, kT: number): number =>
  (0.1 * volume) / (count * kT);

/** What a barostat keeps: its compressibility, once it is known. */
export type Kept = { compressibility: number | null };
