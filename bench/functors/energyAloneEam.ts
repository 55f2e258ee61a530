import { embeddedAtomForce, readSetfl } from '@corpuscle/operators';
import { embeddedAtomFromEnergy } from '../../test/support/energyAlone.js';
import { manyBodyData } from '../../test/support/manyBodyCases.js';
import type { DerivedCase } from './derivedCases.js';

/** Of tables in the length and energy of copper; both types are metals of the same file. */
export const embeddedAtomCase: DerivedCase = {
  name: 'embedded_atom',
  byHand: embeddedAtomForce({
    types: ['A', 'B'],
    tables: readSetfl(manyBodyData('MN.eam.alloy')),
    elements: { A: 'M', B: 'N' },
  }),
  derived: embeddedAtomFromEnergy(),
};
