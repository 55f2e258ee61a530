import { CorpuscleError } from '@corpuscle/core';
import type { PairEntry } from '../pair/completePairs.js';
import type { CutoffSwitch } from '../pair/cutoffSwitch.js';
import type { AnyPairPotential } from '../pair/definePairPotential.js';
import type { CutoffShift } from '../pair/pairOutputs.js';

/** A potential that acts on a pair of types, or on all where `types` is absent, with its coefficients by name. */
export type PairUse = PairEntry & {
  /** Name of the potential; `none` for pairs without force. */
  readonly use: string;
  readonly rcut?: number;
  readonly shift?: CutoffShift;
  readonly switch?: CutoffSwitch;
  readonly switchFrom?: number;
  readonly dielectric?: number;
} & { readonly [coefficient: string]: unknown };

/** Potentials by name. */
export type Potentials = ReadonlyMap<string, AnyPairPotential>;

/** @throws CorpuscleError INVALID_VALUE for an unknown name. */
export function potentialOf(potentials: Potentials, name: string): AnyPairPotential {
  const potential = potentials.get(name);
  if (potential) return potential;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `there is no potential '${name}': use one of ${[...potentials.keys()].join(', ')}`,
  );
}
