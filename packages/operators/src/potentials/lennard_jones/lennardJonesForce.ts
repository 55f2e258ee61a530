import { CorpuscleError } from '@corpuscle/core';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import type { CutoffSwitch } from '../pair/cutoffSwitch.js';
import type { Mixing } from '../pair/mixing.js';
import { pairForceTerm } from '../pair/pairForceTerm.js';
import { type LennardJonesShift, lennardJones, lennardJonesParameters } from './lennardJones.js';
import { lennardJonesRadial } from './lennardJonesRadial.js';
import { type LennardJonesPair, pairTables } from './pairTables.js';

/** The coefficients of Lennard-Jones pairs, in simulation units. */
export interface LennardJonesOptions {
  /** Names of the particle types in the order of their indices. */
  readonly types: readonly string[];
  /** One set of parameters for all pairs … */
  readonly epsilon?: number;
  readonly sigma?: number;
  readonly rcut?: number;
  /** Where the window of `switch` begins. */
  readonly switchFrom?: number;
  /** … or one for each pair of types. */
  readonly pairs?: readonly LennardJonesPair[];
  /** Default 'none': a missing pair is an error. */
  readonly mixing?: Mixing;
  /** Default 'none'. */
  readonly shift?: LennardJonesShift;
  /** A window in which the potential is switched off; default 'none'. */
  readonly switch?: CutoffSwitch;
}

/**
 * A Lennard-Jones force term for one or several types.
 *
 * @throws CorpuscleError MISSING_PAIR, UNKNOWN_TYPE, MISSING_VALUE, INVALID_VALUE.
 * @example
 * const term = lennardJonesForce({ types: ['A'], epsilon: 1, sigma: 1, rcut: 2.5 });
 */
export function lennardJonesForce(options: LennardJonesOptions): ForceTerm {
  const { types, epsilon, sigma, rcut, switchFrom, mixing, shift = 'none' } = options;
  let { pairs } = options;
  if (!pairs) {
    if (epsilon === undefined || sigma === undefined || rcut === undefined)
      throw new CorpuscleError(
        'MISSING_VALUE',
        'a Lennard-Jones force needs epsilon, sigma and rcut, or pairs',
      );
    pairs = [{ epsilon, sigma, rcut, ...(switchFrom === undefined ? {} : { switchFrom }) }];
  }
  const { switch: window = 'none' } = options;
  if (window !== 'none') {
    const chosen = mixing ? { mixing } : {};
    return lennardJonesRadial.term({ types, pairs, shift, switch: window, ...chosen });
  }
  const tables = pairTables(types, pairs, mixing);
  const params = lennardJonesParameters(tables, shift);
  return pairForceTerm(lennardJones, tables.rcutMax, params);
}
