import { CorpuscleError, type Dimension, dimensions, type SimulationState } from '@corpuscle/core';
import { ledgerKey } from '../../run/stateKeys.js';
import { typeNames } from '../../system/placeParticles.js';
import { frameWriterOperator } from '../frames/frameWriterOperator.js';
import type { GridField } from '../frames/gridFrame.js';
import { encodingWriter } from '../thread/encoders.js';
import { extendedXyz } from './extendedXyz.js';
import { type WriteField, writeFields } from './frameOf.js';
import { aseVelocity, canBeAse, type XyzConvention, xyzConventions } from './xyzConvention.js';

const withoutForces: readonly WriteField[] = ['pos', 'velo', 'id'];
const withForces: readonly WriteField[] = [...withoutForces, 'forces', 'energy'];

/** What columns are made of; positions and ids are always there. */
const NAMES: Readonly<Partial<Record<WriteField, GridField>>> = {
  ...{ velo: 'velocity', forces: 'force', energy: 'energy', mass: 'mass', charge: 'charge' },
  ...{ image: 'image', stress: 'stress' },
};

interface Slots {
  readonly fields?: readonly WriteField[] | undefined;
  readonly convention: XyzConvention;
}

/** The columns that are asked for, or all there are. */
const columnsOf = ({ fields }: Slots, state?: SimulationState): readonly WriteField[] =>
  fields ?? (!state || state.find(ledgerKey) ? withForces : withoutForces);

export const writeExtendedXyzOperator = frameWriterOperator({
  name: 'write_extended_xyz',
  doc: 'Appends a frame of particles, sorted by id, to an extended xyz file; every number reads back to the same f64.',
  slots: {
    fields: {
      type: 'list',
      of: { type: 'enum', values: writeFields },
      minLength: 1,
      doc: 'columns beside the species, in this order; default pos, velo, id, and where there are forces also forces and energy; image is how often a particle has crossed the box, and stress (xx yy zz xy xz yz) the operator particle_stress before',
    },
    convention: {
      type: 'enum',
      values: xyzConventions,
      default: 'auto',
      doc: 'ase: ASE reads velocities (momenta, masses), forces and energies; plain: columns have the names of fields; auto: ase where all species are elements, in units lj or of ångström, Dalton and eV',
    },
  },
  hasProperties: true,
  keepsColumn: extendedXyz.keepsColumn,
  validate({ slots, fail }) {
    const fields = slots.fields as readonly WriteField[] | undefined;
    if (fields && !fields.includes('pos'))
      fail('fields', 'INVALID_VALUE', 'fields lacks pos: positions are what makes a frame');
    const twice = fields?.find((field, k) => fields.indexOf(field) !== k);
    if (twice) fail('fields', 'INVALID_VALUE', `fields has ${twice} twice: remove one`);
  },
  fields(slots, state) {
    const fields = columnsOf(slots as Slots, state).flatMap((column) => NAMES[column] ?? []);
    const isForAse = state && aseFactor(state, (slots as Slots).convention) !== undefined;
    return isForAse ? [...new Set([...fields, 'mass' as const])] : fields;
  },
  task(slots, state, properties) {
    const { step, time } = state;
    const factor = (dimension: Dimension) =>
      state.simulation.configuration.units.fromInternal(1, dimension);
    const aseVelocity = aseFactor(state, (slots as Slots).convention);
    return {
      kind: 'extended_xyz',
      species: typeNames(state),
      fields: columnsOf(slots as Slots, state),
      options: {
        properties: { step, time },
        fields: properties,
        // Lengths, times, masses and charges are the user's own (`UnitSystem`).
        factors: {
          forces: factor(dimensions.force),
          energy: factor(dimensions.energy),
          stress: factor(dimensions.energy),
        },
        ...(aseVelocity !== undefined && { aseVelocity }),
      },
    };
  },
  // One frame, such as the last configuration, appears when it is complete; a second one makes it a file that grows.
  open: (target) =>
    encodingWriter('extended_xyz', undefined, {
      add: (pieces, { isAlone, onWritten }) =>
        isAlone ? target.put(target.file, pieces) : target.grow(target.file).add(pieces, onWritten),
      close: () => undefined,
    }),
});

/** What velocities are multiplied by for ASE; undefined where the file is not made for it. */
function aseFactor(state: SimulationState, convention: XyzConvention): number | undefined {
  const { units } = state.simulation.configuration;
  if (convention === 'plain') return undefined;
  if (convention === 'auto' && !canBeAse(typeNames(state), units)) return undefined;
  const factor = aseVelocity(units);
  if (factor !== null) return factor;
  throw new CorpuscleError(
    'INVALID_VALUE',
    'convention ase needs lengths in ångström, masses in Dalton and energies in eV, as ASE has them: choose such units, or convention: plain',
  );
}
