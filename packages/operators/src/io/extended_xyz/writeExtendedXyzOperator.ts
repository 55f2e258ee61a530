import { type Dimension, defineOperator, dimensions } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { frequencySlot } from '../../run/frequencySlot.js';
import { contextOf, gridKey, ledgerKey } from '../../run/stateKeys.js';
import { formatExtendedXyz } from './formatExtendedXyz.js';
import { frameOf, type WriteField, writeFields } from './frameOf.js';

const withoutForces: readonly WriteField[] = ['pos', 'velo', 'id'];
const withForces: readonly WriteField[] = [...withoutForces, 'forces', 'energy'];

export const writeExtendedXyzOperator = defineOperator({
  name: 'write_extended_xyz',
  doc: 'Appends a frame of particles, sorted by id, to an extended xyz file; every number reads back to the same f64.',
  slots: {
    file: { type: 'file', mode: 'write', required: true, doc: 'the file' },
    frequency: frequencySlot('frames'),
    fields: {
      type: 'list',
      of: { type: 'enum', values: writeFields },
      minLength: 1,
      doc: 'columns beside the species, in this order; default pos, velo, id, and where there are forces also forces and energy',
    },
  },
  every: 'frequency',
  needs: ({ fields = withForces }) => (fields.includes('energy') ? ['particle_energies'] : []),
  requires: [gridKey],
  validate({ slots, fail }) {
    const { fields } = slots;
    if (fields && !fields.includes('pos'))
      fail('fields', 'INVALID_VALUE', 'fields lacks pos: positions are what makes a frame');
    const twice = fields?.find((field, k) => fields.indexOf(field) !== k);
    if (twice) fail('fields', 'INVALID_VALUE', `fields has ${twice} twice: remove one`);
  },
  prepare: ({ slots, state }) => state.output.open(slots.file),
  async execute({ slots, state, own }) {
    const grid = state.get(gridKey);
    const ledger = state.find(ledgerKey);
    const fields =
      (slots.fields as readonly WriteField[] | undefined) ?? (ledger ? withForces : withoutForces);
    if (fields.includes('forces')) state.get(ledgerKey); // zeros would pass for forces
    if (fields.includes('energy')) await state.get(ledgerKey).energies();
    await newestOnHost(grid, contextOf(state));
    const types = state.simulation.particleTypes.names;
    const { units } = state.simulation.configuration;
    const factor = (dimension: Dimension) => units.fromInternal(1, dimension);
    const frame = frameOf(grid, types, fields, {
      properties: { step: state.step, time: state.time },
      // Lengths, times, masses and charges are the user's own (`UnitSystem`).
      factors: { forces: factor(dimensions.force), energy: factor(dimensions.energy) },
    });
    for (const text of formatExtendedXyz(frame)) own.write(text);
  },
});
