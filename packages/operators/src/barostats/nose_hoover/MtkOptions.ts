import type { Ends } from '../pressures.js';
import type { MtkChain, MtkKind } from './mtkFunctors.js';

/** What a Nosé–Hoover run holds constant; every number is in simulation units, and a pair is a ramp over the run. */
export interface MtkOptions {
  /** kT; null for NPH. */
  readonly kT: Ends | null;
  readonly tau: number;
  readonly pressure: Ends;
  /** Those of x, y and z, where lengths have each their own. */
  readonly pressures: readonly Ends[] | null;
  readonly tauPressure: number;
  readonly coupling: MtkKind['coupling'];
  readonly dt: number;
  /** Steps that box and chains take as one. */
  readonly every: number;
  /** The chain of the particles, and that of the box. */
  readonly chain: MtkChain;
  readonly boxChain: MtkChain;
}

/** Steps between looks whether a box that leans is to be flipped, where the host must ask for it: all others are made without it. */
export const LOOKS = 64;
