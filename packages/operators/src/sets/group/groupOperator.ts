import { defineOperator, type SimulationState } from '@corpuscle/core';
import { type PreparedCall, prepareCellParticles } from '@corpuscle/patterns';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import type { RegionExpression, RegionMap } from '../region/Region.js';
import { regionNames } from '../region/Regions.js';
import { regionSpec } from '../region/regionSpec.js';
import { resolveRegion } from '../region/resolveRegion.js';
import { groupsOf } from './Groups.js';
import { selectParticles } from './selectParticles.js';

const ids = { type: 'integer', min: 0, max: 2 ** 32 - 1 } as const;
const names = (doc: string) =>
  ({ type: 'list', of: { type: 'string' }, minLength: 1, doc }) as const;

/** `group`: names a set of particles. */
export const groupOperator = defineOperator({
  name: 'group',
  doc: 'Names a set of particles, to be named by the slot group of other operators. Where several slots are given all of them hold. A particle belongs to what it was in when the operator ran: in a loop the group follows the particles.',
  slots: {
    name: { type: 'string', required: true, doc: 'name of the group' },
    region: { ...regionSpec, doc: 'particles in this region' },
    types: {
      type: 'list',
      of: { type: 'particle_type' },
      minLength: 1,
      doc: 'particles of these types',
    },
    ids: {
      type: 'any_of',
      options: [
        { type: 'list', of: ids, minLength: 1 },
        {
          type: 'map',
          entries: {
            first: { ...ids, required: true, doc: 'first id' },
            last: { ...ids, required: true, doc: 'last id' },
            stride: { type: 'integer', min: 1, default: 1, doc: 'step between ids' },
          },
        },
      ],
      doc: 'particles of these ids: a list, or { first, last, stride }',
    },
    union: names('particles in any of these groups'),
    intersect: names('particles in all of these groups'),
    subtract: names('particles of the first of these groups that are in none of the others'),
    every: { type: 'integer', min: 1, default: 1, doc: 'in a loop: steps between updates' },
  },
  every: 'every',
  requires: [gridKey],
  validate({ slots, fail }) {
    if (slots.name === 'all')
      fail('name', 'INVALID_VALUE', "the group 'all' has all particles: give another name");
    if (Object.keys(partsOf(slots as GroupSlots)).length === 0)
      fail(
        '',
        'MISSING_VALUE',
        'group needs a region, types, ids, or groups to union, intersect or subtract',
      );
  },
  prepare: ({ slots, state }) => {
    const { name, ...parts } = slots as GroupSlots;
    // Operators of a run that goes on are prepared before any is restored, and may name it.
    groupsOf(state).make(name);
    return new RenewedCall(state, () => selection(state, name, partsOf(parts)));
  },
  calls: ({ own }) => [own.current],
  execute({ own }) {
    own.current.run();
  },
  dispose: ({ own }) => own.close(),
  save: ({ slots }) => ({ group: slots.name }),
  restore() {},
});

/** Makes the call that gives a group its particles. */
function selection(state: SimulationState, name: string, parts: RegionMap): PreparedCall {
  const groups = groupsOf(state);
  const region = resolveRegion(parts, regionNames(state));
  const { functor, params } = selectParticles(region, groups.make(name));
  return prepareCellParticles(state.get(gridKey), functor, contextOf(state), { params });
}

interface GroupSlots {
  readonly name: string;
  readonly region?: RegionExpression;
  readonly types?: readonly string[];
  readonly ids?: RegionMap['ids'];
  readonly union?: readonly string[];
  readonly intersect?: readonly string[];
  readonly subtract?: readonly string[];
}

/** What is given, as a region. */
function partsOf({
  region,
  types,
  ids,
  union,
  intersect,
  subtract,
}: Omit<GroupSlots, 'name'>): RegionMap {
  const those = (groups: readonly string[]) => groups.map((group): RegionMap => ({ group }));
  return {
    ...(region && { intersection: [region] }),
    ...(types && { types }),
    ...(ids && { ids }),
    ...(union && { union: those(union) }),
    ...(intersect && { complement: { complement: { intersection: those(intersect) } } }),
    ...(subtract && { difference: those(subtract) }),
  };
}
