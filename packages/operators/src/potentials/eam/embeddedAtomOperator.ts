import { defineOperator, type LoadContext } from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { elementsOf, elementsSlot, fileUnits } from '../fileUnits.js';
import { typeNames } from '../pair/pairForceOperator.js';
import { embeddedAtom } from './embeddedAtom.js';
import { embeddedAtomForce } from './embeddedAtomForce.js';
import { readSetfl } from './readSetfl.js';

interface Slots {
  readonly file?: string;
  readonly elements?: Readonly<Record<string, string>> | undefined;
}

export const embeddedAtomOperator = defineOperator({
  name: 'embedded_atom_force',
  doc: 'Adds the forces of an embedded-atom potential (EAM) in tables, also in the form of Finnis and Sinclair, interpolated as in LAMMPS.',
  slots: {
    file: {
      type: 'file',
      mode: 'read',
      required: true,
      doc: 'tables in the format setfl (.eam.alloy or .eam.fs) or funcfl (.eam, one element), in the units of this file',
    },
    elements: elementsSlot,
  },
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [embeddedAtom],
  reach: (slots, load) => makeTerm(slots, load).rcut,
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots, state.simulation),
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own, location }) => addForces(state, own, location),
});

function makeTerm(
  { file, elements }: Slots,
  load: Pick<LoadContext, 'particleTypes' | 'configuration'>,
): ForceTerm {
  const types = typeNames(load);
  const tables = readSetfl(file!, fileUnits(load));
  return embeddedAtomForce({ types, tables, elements: elementsOf(types, elements) });
}
