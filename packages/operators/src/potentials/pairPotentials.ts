import { born } from './born/born.js';
import { buckingham } from './buckingham/buckingham.js';
import { coulombCut } from './coulomb/coulombCut.js';
import { coulombDebye } from './coulomb/coulombDebye.js';
import { coulombDsf, coulombWolf } from './coulomb/coulombWolf.js';
import { reactionField } from './coulomb/reactionField.js';
import { gauss } from './gauss/gauss.js';
import { mie } from './mie/mie.js';
import { morse } from './morse/morse.js';
import type { AnyPairPotential } from './pair/definePairPotential.js';
import { soft } from './soft/soft.js';
import { wca } from './wca/wca.js';
import { yukawa } from './yukawa/yukawa.js';
import { zbl } from './zbl/zbl.js';

/** The potentials that are declared by u(r); each has an operator `<name>_force`. */
export const pairPotentials: readonly AnyPairPotential[] = [
  morse,
  buckingham,
  born,
  mie,
  wca,
  soft,
  gauss,
  yukawa,
  zbl,
  coulombCut,
  coulombDebye,
  coulombDsf,
  coulombWolf,
  reactionField,
];
