import { defineOperator, type Grid, type SimulationState } from '@corpuscle/core';
import { newestOnHost, type PreparedCall, prepareCellParticles } from '@corpuscle/patterns';
import { renewWithBox } from '../../box/newBox.js';
import type { PresentBox } from '../../box/presentBox.js';
import { RenewedCall } from '../../run/RenewedCall.js';
import { contextOf, gridKey, planKey } from '../../run/stateKeys.js';
import { listedParticles } from '../region/listedParticles.js';
import type { RegionExpression, RegionMap } from '../region/Region.js';
import { regionNames } from '../region/Regions.js';
import { regionSpec } from '../region/regionSpec.js';
import { resolveRegion } from '../region/resolveRegion.js';
import { checkField, fieldsOf, rowsWithin } from '../region/rowsWithin.js';
import { GROUP_MASK, groupsOf } from './Groups.js';
import { selectInBox } from './selectInBox.js';

const names = (doc: string) =>
  ({ type: 'list', of: { type: 'string', names: 'group' }, minLength: 1, doc }) as const;

/** `group`: names a set of particles. */
export const groupOperator = defineOperator({
  name: 'group',
  doc: 'Names a set of particles, to be named by the slot group of other operators. Where several slots are given all of them hold. A particle belongs to what it was in when the operator ran: in a loop the group follows the particles.',
  slots: {
    name: { type: 'string', required: true, doc: 'name of the group' },
    region: { ...regionSpec, doc: 'particles in this region' },
    ...listedParticles,
    union: names('particles in any of these groups'),
    intersect: names('particles in all of these groups'),
    subtract: names('particles of the first of these groups that are in none of the others'),
    every: { type: 'integer', min: 1, default: 1, doc: 'in a loop: steps between updates' },
  },
  every: 'every',
  box: 'kept',
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
    return new Selection(state, name, partsOf(parts));
  },
  calls: ({ own, state }) => (state.find(planKey) ? own.calls : null),
  async execute({ own, slots, state }) {
    if (state.find(planKey)) for (const call of own.calls) call.run();
    else await selectOnHost(state, slots as GroupSlots);
  },
  dispose: ({ own }) => own.close(),
  save: ({ slots }) => ({ group: slots.name }),
  restore() {},
});

/** What gives a group its particles in a run. */
class Selection {
  readonly #call: RenewedCall;
  #box: PresentBox | null = null;

  constructor(state: SimulationState, name: string, parts: RegionMap) {
    this.#call = new RenewedCall(state, () => {
      const grid = state.get(gridKey);
      const bits = groupsOf(state).make(name);
      const region = resolveRegion(parts, regionNames(state));
      for (const field of fieldsOf(region)) checkField(grid, field);
      const { functor, params, box } = selectInBox(grid, region, bits);
      this.#box = box;
      if (box) renewWithBox(state);
      return prepareCellParticles(grid, functor, contextOf(state), { params });
    });
  }

  get calls(): readonly PreparedCall<object, unknown>[] {
    if (this.#box?.isCurrent() === false) this.close();
    const { current } = this.#call;
    return [...(this.#box?.calls ?? []), current];
  }

  close(): void {
    this.#call.close();
  }
}

/**
 * The same on the host, for particles that nothing has sorted into the box yet: those of a file may be far outside. The host has positions
 * as they were given: a device rounds them, so that a layer of a crystal may be off the plane that bounds a region.
 */
async function selectOnHost(state: SimulationState, { name, ...parts }: GroupSlots): Promise<void> {
  const grid = state.get(gridKey);
  const bits = groupsOf(state).make(name);
  const region = resolveRegion(partsOf(parts), regionNames(state));
  await newestOnHost(grid, contextOf(state), [GROUP_MASK, ...knownOf(grid, fieldsOf(region))]);
  const isWithin = rowsWithin(grid, region);
  const mask = grid.values(GROUP_MASK);
  for (let row = 0; row < grid.count; row++)
    mask[row] = ((mask[row]! & ~bits) | 1 | (isWithin(row) ? bits : 0)) >>> 0;
  grid.setValues(GROUP_MASK, mask);
}

const knownOf = (grid: Grid, fields: readonly string[]) =>
  fields.filter((field) => grid.hasField(field));

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
