import { CorpuscleError, type Domain, defineOperator, type SimulationState } from '@corpuscle/core';
import { everySlots, stepsBetween } from '../../run/frameSlots.js';
import { contextOf, gridKey } from '../../run/stateKeys.js';
import { earlierGroupSlot, groupOptions } from '../../sets/group/Groups.js';
import type { Removal } from './Removal.js';
import { removeAngular } from './removeAngular.js';
import { removeLinear } from './removeLinear.js';

interface Slots {
  readonly linear: boolean;
  readonly angular: boolean;
  readonly group: string;
}

/** What it keeps: its calls, and what they were made from. */
interface Own {
  removals: readonly Removal[];
  version: number;
}

/** `remove_momentum`: takes the motion of the center of mass away, and the rotation about it. */
export const removeMomentumOperator = defineOperator({
  name: 'remove_momentum',
  doc: 'Takes away the motion of the center of mass, and the rotation about it in open boxes. Temperatures count the degrees of freedom that are left.',
  slots: {
    linear: {
      type: 'boolean',
      default: true,
      doc: 'whether the velocity of the center of mass is subtracted',
    },
    angular: {
      type: 'boolean',
      default: false,
      doc: 'whether the rotation about the center of mass is subtracted; for boxes that are open along all axes',
    },
    ...everySlots('removals'),
    ...earlierGroupSlot,
  },
  every: (slots) => stepsBetween(slots) ?? 1,
  box: 'kept',
  checkBox: ({ angular }, domain) => {
    if (angular) checkOpen(domain);
  },
  changesVelocities: true,
  requires: [gridKey],
  validate({ slots, fail }) {
    if (slots.linear === false && !slots.angular)
      fail('linear', 'INVALID_VALUE', 'remove_momentum removes nothing: set linear or angular');
  },
  prepare: ({ slots, state }): Own => ({
    removals: removalsOf(slots, state),
    version: state.callsVersion,
  }),
  execute({ slots, state, own }) {
    if (own.version !== state.callsVersion) {
      for (const removal of own.removals) removal.close();
      own.removals = removalsOf(slots, state);
      own.version = state.callsVersion;
    }
    for (const { calls } of own.removals) for (const call of calls) call.run();
  },
  dispose({ own }) {
    for (const removal of own.removals) removal.close();
  },
});

/** @throws CorpuscleError INVALID_VALUE for a box in which nothing turns. */
function checkOpen({ periodic }: Domain): void {
  if (periodic.includes(true))
    throw new CorpuscleError(
      'INVALID_VALUE',
      'the box is periodic, where a rotation has no meaning: leave angular out',
    );
}

function removalsOf({ linear, angular, group }: Slots, state: SimulationState): Removal[] {
  const grid = state.get(gridKey);
  const ctx = contextOf(state);
  const selection = groupOptions(state, group);
  if (angular) checkOpen(grid.wholeDomain);
  return [
    ...(linear ? [removeLinear(grid, ctx, selection)] : []),
    ...(angular ? [removeAngular(grid, ctx, selection)] : []),
  ];
}
