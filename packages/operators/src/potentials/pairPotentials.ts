import { buckingham } from './buckingham/buckingham.js';
import { morse } from './morse/morse.js';
import type { PairPotential } from './pair/definePairPotential.js';
import { yukawa } from './yukawa/yukawa.js';

/** The potentials that are declared by u(r); each has an operator `<name>_force`. */
export const pairPotentials: readonly PairPotential[] = [morse, buckingham, yukawa];
