import {
  CorpuscleError,
  defineOperator,
  didYouMean,
  type Grid,
  type SimulationState,
} from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { typeNames } from '../../system/placeParticles.js';
import { fillProperty, type Property, propertiesKey, valueFor } from './fillProperty.js';

/** Values of the declared fields for a particle of a type. */
export function propertiesOf(state: SimulationState, type: string): Record<string, number> {
  const declared = state.find(propertiesKey) ?? {};
  return Object.fromEntries(
    Object.entries(declared).map(([name, property]) => [name, valueFor(property, type)]),
  );
}

/** `particle_properties`: fields of one's own. */
export const particlePropertiesOperator = defineOperator({
  name: 'particle_properties',
  doc: 'Gives particles fields of your own, with a value for each type. Regions, set and functors find them by name, sorts and checkpoints carry them along, and particles that are created get the values of their type.',
  slots: {
    fields: {
      type: 'record',
      of: {
        type: 'map',
        entries: {
          default: { type: 'number', default: 0, doc: 'value of types that are not named' },
          by_type: { type: 'record', of: { type: 'number' }, doc: 'values by type' },
        },
      },
      required: true,
      doc: 'name → { default, by_type: { A: 1.5 } }, in internal units',
    },
  },
  box: 'kept',
  requires: [gridKey],
  validate({ slots, particleTypes, fail }) {
    for (const [name, { by_type: byType = {} }] of Object.entries(slots.fields ?? {})) {
      if (!/^[A-Za-z]\w*$/.test(name))
        fail(
          'fields',
          'INVALID_VALUE',
          `'${name}' is no name of a field: use letters, digits and _`,
        );
      const wrong = Object.keys(byType).find((type) => !particleTypes.has(type));
      if (wrong !== undefined && particleTypes.count > 0)
        fail(
          'fields',
          'UNKNOWN_TYPE',
          `'${wrong}' is not a particle type${didYouMean(wrong, particleTypes.names)}`,
        );
    }
  },
  async execute({ slots, state }) {
    const grid = state.get(gridKey);
    await newestOnHost(grid, contextOf(state));
    const fields = slots.fields as Readonly<Record<string, Property>>;
    for (const [name, property] of Object.entries(fields)) addProperty(state, grid, name, property);
    declare(state, fields);
  },
  save: () => null,
  // The fields themselves are in the grid of the checkpoint.
  restore: ({ slots, state }) => declare(state, slots.fields as Readonly<Record<string, Property>>),
});

function declare(state: SimulationState, fields: Readonly<Record<string, Property>>): void {
  state.set(propertiesKey, { ...state.find(propertiesKey), ...fields });
}

function addProperty(state: SimulationState, grid: Grid, name: string, property: Property): void {
  const isKnown = name in (state.find(propertiesKey) ?? {});
  if (grid.hasField(name) && !isKnown)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `particles have a field '${name}' already: give the property another name`,
    );
  grid.addBlock({ name, type: 'f64', width: 1, members: [name] });
  fillProperty(state, grid, name, property, typeNames(state));
}
