import { buckingham } from './buckingham.js';
import type { PairPotential } from './definePairPotential.js';
import { morse } from './morse.js';
import { yukawa } from './yukawa.js';

/** The potentials that are declared by u(r); each has an operator `<name>_force`. */
export const pairPotentials: readonly PairPotential[] = [morse, buckingham, yukawa];
