import type { Domain, Grid } from '@corpuscle/core';
import type { PrescriptionOptions } from '../box/Prescription.js';
import type { EngineValues } from '../value/EngineValues.js';
import type { Engine, EngineCall } from './Engine.js';

/** A box that an engine deforms: see `boxStrain`. */
export interface EngineStrain {
  readonly values: EngineValues;
  readonly call: EngineCall<void>;
  /** The numbers of the box, in the order of `boxNames`, and what brings them up to date. */
  readonly box: EngineValues;
  readonly measure: EngineCall<void>;
  /** Shears count from now on; before, only lengths do. */
  shear(): void;
  /** Tells the host the box as it is after all calls so far. */
  know(): Promise<void>;
  /** The same, and the host may replace the box. */
  settle(): Promise<void>;
  /** A call that gives the box a form which the host knows when the call is made, or a part of it; absent where the host moves particles with it. */
  prescribe?(boxNow: () => Domain, options: PrescriptionOptions): EngineCall<void>;
}

/** An engine that may keep the strain of a box; for others the host deforms boxes. */
export interface StrainEngine extends Engine {
  /** The strain of a grid's box as values. */
  prepareStrain(grid: Grid): EngineStrain;
}

/** Whether an engine is one of those. */
export const isStrainEngine = (engine: Engine): engine is StrainEngine => 'prepareStrain' in engine;
