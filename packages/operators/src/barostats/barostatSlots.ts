import { dimensions, type EntrySpec, type SlotSpecs } from '@corpuscle/core';
import { timeStep } from '../run/timeStep.js';

const pressure = { type: 'quantity', dimension: dimensions.pressure } as const;

/** A pressure, or the first and the last of a ramp over the run. */
const pressureSlot = {
  type: 'any_of',
  options: [pressure, { type: 'list', of: pressure, length: 2 }],
  required: true,
  doc: 'pressure of the bath, or [first, last] for a ramp over the steps of the run',
} as const satisfies EntrySpec;

/** Slots of barostats that act at the end of a step. */
export const barostatSlots = {
  pressure: pressureSlot,
  compressibility: {
    type: 'quantity',
    dimension: { length: 1, mass: -1, time: 2 },
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
