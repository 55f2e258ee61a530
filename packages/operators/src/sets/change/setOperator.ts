import { CorpuscleError, defineOperator, dimensions, randomStream } from '@corpuscle/core';
import { newestOnHost } from '@corpuscle/patterns';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { typeNames } from '../../system/placeParticles.js';
import { GROUP_MASK, groupRows, groupSlot } from '../group/Groups.js';
import type { RegionExpression } from '../region/Region.js';
import { regionNames } from '../region/Regions.js';
import { regionSpec } from '../region/regionSpec.js';
import { resolveRegion } from '../region/resolveRegion.js';
import { checkField, rowsWithin } from '../region/rowsWithin.js';
import { drawsParticles, fractionSlots, nextDraw } from './draws.js';

const STREAM = randomStream('set');

const lone = (dimension: (typeof dimensions)[keyof typeof dimensions], doc: string) =>
  ({ type: 'quantity', dimension, doc }) as const;

/** `set`: other types, masses, charges, velocities. */
export const setOperator = defineOperator({
  name: 'set',
  doc: 'Gives particles of a group and a region, or a random part of them, another type, mass, charge or velocity, or other values of any field.',
  slots: {
    region: { ...regionSpec, doc: 'particles in this region; default everywhere' },
    ...groupSlot,
    ...fractionSlots('changed'),
    type: {
      type: 'particle_type',
      doc: 'the type; where they are not given, the mass becomes that of the type, and the charge too if particle_types have charges',
    },
    mass: { ...lone(dimensions.mass, 'the mass'), above: 0 },
    charge: lone(dimensions.charge, 'the charge'),
    velocity: {
      type: 'list',
      of: lone(dimensions.velocity, 'a component'),
      length: 3,
      doc: 'the velocity',
    },
    fields: {
      type: 'record',
      names: 'field',
      of: { type: 'number' },
      doc: 'values by the names of fields, in internal units, such as { vz: 0 }',
    },
  },
  requires: [gridKey],
  reads: ['position', 'id', GROUP_MASK],
  writes: ({ type, mass, charge, velocity, fields }) => [
    ...(type === undefined ? [] : ['type', 'mass', 'charge']),
    ...(mass === undefined ? [] : ['mass']),
    ...(charge === undefined ? [] : ['charge']),
    ...(velocity === undefined ? [] : ['velocity']),
    ...Object.keys(fields ?? {}),
  ],
  validate({ slots, fail }) {
    const { type, mass, charge, velocity, fields } = slots;
    if ([type, mass, charge, velocity, fields].every((value) => value === undefined))
      fail('', 'MISSING_VALUE', 'set needs a type, mass, charge, velocity or fields');
    for (const name of ['id', 'rx', 'ry', 'rz', 'type'])
      if (fields && name in fields)
        fail('fields', 'INVALID_VALUE', `set cannot change ${name} as a field: remove it`);
  },
  async execute({ slots, state }) {
    const grid = state.get(gridKey);
    await newestOnHost(grid, contextOf(state));
    const { region, type, mass, charge, velocity, fields } = slots;
    const isChosen =
      region === undefined
        ? () => true
        : rowsWithin(grid, resolveRegion(region as RegionExpression, regionNames(state)));
    for (const name of Object.keys(fields ?? {})) checkField(grid, name);
    const ids = grid.values('id');
    const isDrawn = drawsParticles(state, slots, STREAM, nextDraw(state));
    const rows = groupRows(state, slots.group).filter((row) => isChosen(row) && isDrawn(ids[row]!));
    const { particleTypes } = state.simulation;
    const declared = type !== undefined && particleTypes.has(type) ? particleTypes.get(type) : null;
    // Where no type has a charge, charges are those of a file or of an earlier set.
    const hasCharges = particleTypes.all.some((one) => one.charge !== 0);
    const values: Readonly<Record<string, number | undefined>> = {
      type: type === undefined ? undefined : typeNames(state).indexOf(type),
      mass: mass ?? declared?.mass,
      charge: charge ?? (hasCharges ? declared?.charge : undefined),
      vx: velocity?.[0],
      vy: velocity?.[1],
      vz: velocity?.[2],
      ...fields,
    };
    if (fields?.mass !== undefined && !(fields.mass > 0))
      throw new CorpuscleError('INVALID_VALUE', `mass is ${fields.mass}: masses must be positive`);
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined) continue;
      const column = grid.values(name);
      for (const row of rows) column[row] = value;
      grid.setValues(name, column);
    }
  },
});
