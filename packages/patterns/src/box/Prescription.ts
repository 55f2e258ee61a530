import type { Domain } from '@corpuscle/core';
import type { ContextValue } from '../value/ContextValue.js';
import type { PrescribedPart } from './prescribedPart.js';
import type { rateNames } from './strainedBox.js';

/** What a call that prescribes a box does beside it, or of it. */
export interface PrescriptionOptions {
  /** What of the box is prescribed, where values decide the rest. */
  readonly part?: PrescribedPart;
  /** How fast its lattice vectors change, and the value of `rateNames` that tells it from then on. */
  readonly rate?: {
    readonly value: ContextValue<(typeof rateNames)[number]>;
    /** Asked after the box, by rows. */
    readonly now: () => readonly number[];
  };
}

/** What a call prescribes in one step. */
export interface Prescription {
  readonly box: Domain;
  /** How fast its vectors change, where that is told. */
  readonly rate: readonly number[] | null;
}
