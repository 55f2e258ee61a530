import {
  CorpuscleError,
  defineOperator,
  dimensions,
  type LoadContext,
  type SlotSpecs,
} from '@corpuscle/core';
import { addForces, forceCalls } from '../../forces/currentLedger.js';
import type { ForceTerm } from '../../forces/ForceTerm.js';
import { gridKey, ledgerKey } from '../../run/stateKeys.js';
import { elementsOf, elementsSlot, fileUnits } from '../fileUnits.js';
import { typeNames } from '../pair/pairForceOperator.js';
import { listed } from '../pair/pairForceSlots.js';
import { readStillingerWeber } from './readStillingerWeber.js';
import { stillingerWeber } from './stillingerWeber.js';
import { type StillingerWeberEntry, stillingerWeberForce } from './stillingerWeberForce.js';

const numbers = {
  epsilon: { type: 'quantity', dimension: dimensions.energy, min: 0, doc: 'unit of energy' },
  sigma: { type: 'quantity', dimension: dimensions.length, above: 0, doc: 'unit of length' },
  a: { type: 'number', above: 0, doc: 'cutoff in units of sigma' },
  lambda: { type: 'number', min: 0, doc: 'strength of triplets' },
  gamma: { type: 'number', min: 0, doc: 'how fast triplets fade' },
  cos_theta0: { type: 'number', min: -1, max: 1, doc: 'cosine of the angle that triplets prefer' },
  A: { type: 'number', doc: 'strength of pairs' },
  B: { type: 'number', doc: 'repulsion of pairs' },
  p: { type: 'number', min: 0, doc: 'exponent of the repulsion' },
  q: { type: 'number', min: 0, doc: 'exponent of the attraction' },
} as const satisfies SlotSpecs;

const slots: SlotSpecs = {
  file: {
    type: 'file',
    mode: 'read',
    doc: 'parameters in the format of LAMMPS’s pair_style sw, in the units of this file',
  },
  elements: elementsSlot,
  ...numbers,
};

type Slots = Readonly<Record<string, unknown>> & {
  readonly file?: string;
  readonly elements?: Readonly<Record<string, string>>;
};

export const stillingerWeberOperator = defineOperator({
  name: 'stillinger_weber_force',
  doc: 'Adds the forces of a Stillinger–Weber potential of pairs and triplets, from a file or for all types alike.',
  slots,
  requires: [gridKey],
  provides: [ledgerKey],
  functors: [stillingerWeber],
  reach: (slots, load) => makeTerm(slots as Slots, load).rcut,
  validate({ slots, fail, ...load }) {
    const names = Object.keys(numbers);
    const given = names.filter((name) => slots[name] !== undefined);
    if (slots.file !== undefined) {
      if (given.length > 0)
        fail(given[0]!, 'INVALID_VALUE', `give either ${given[0]} or file, not both`);
      return;
    }
    const missing = names.filter((name) => !given.includes(name));
    if (missing.length > 0)
      fail(
        '',
        'MISSING_VALUE',
        `stillinger_weber_force needs a file, or ${listed(names)}: ${listed(missing)} ${missing.length > 1 ? 'are' : 'is'} missing`,
      );
    try {
      makeTerm(slots as Slots, load as LoadContext);
    } catch (error) {
      if (!(error instanceof CorpuscleError)) throw error;
      fail('', error.code, error.message);
    }
  },
  prepare: ({ slots, state }): ForceTerm => makeTerm(slots as Slots, state.simulation),
  calls: ({ state, own }) => forceCalls(state, own),
  execute: ({ state, own, location }) => addForces(state, own, location),
});

function makeTerm(
  slots: Slots,
  load: Pick<LoadContext, 'particleTypes' | 'configuration'>,
): ForceTerm {
  const types = typeNames(load);
  if (slots.file !== undefined) {
    const elements = elementsOf(types, slots.elements);
    const triplets = readStillingerWeber(slots.file, elements, fileUnits(load));
    return stillingerWeberForce({ types, triplets });
  }
  const { cos_theta0: cosTheta0, ...rest } = slots as Record<string, number>;
  const entry = { ...rest, cosTheta0 } as unknown as StillingerWeberEntry;
  const { types: _, ...all } = entry;
  return stillingerWeberForce({ types, triplets: [all] });
}
