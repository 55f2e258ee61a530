import {
  CorpuscleError,
  dimensions,
  type ErrorCode,
  type SimulationState,
  type ValidationContext,
} from '@corpuscle/core';
import type { Functor } from '@corpuscle/patterns';
import { contextOf } from '../../run/stateKeys.js';
import { speciesOf } from '../../system/placeParticles.js';
import { CoordinationNumber } from './CoordinationNumber.js';
import { checkGroups } from './checkGroups.js';
import type { Group } from './Group.js';
import { groupType } from './groupType.js';
import { neighborPairs, zeroShares } from './neighborPairs.js';
import { SHARED_PLACE } from './placeFields.js';
import { checkSwitch } from './switching/checkSwitch.js';
import { switchingFunction } from './switching/Switching.js';
import type { SwitchOptions } from './switching/SwitchOptions.js';
import { type SwitchSlots, spellSwitch, switchOptions, switchSlot } from './switchSlot.js';

/** Slots of operators that evaluate a coordination number. */
export const coordinationSlots = {
  group_a: {
    ...groupType,
    required: true,
    doc: 'all, a particle type, a list of ids, or { first, last, stride }',
  },
  group_b: { ...groupType, doc: 'second group; default: pairs within group_a' },
  pair: {
    type: 'boolean',
    default: false,
    doc: 'only the k-th particle of group_a with the k-th of group_b',
  },
  switch: { ...switchSlot, required: true, doc: 'the switching function' },
  keyword_form: {
    type: 'boolean',
    default: false,
    doc: 'rational with r_0, nn, mm and d_0 only: d_max follows, and s is stretched',
  },
  pbc: { type: 'boolean', default: true, doc: 'whether distances are to the nearest image' },
  list_cutoff: {
    type: 'quantity',
    dimension: dimensions.length,
    above: 0,
    doc: 'reach of reused neighbor lists, at least d_max; default: by itself; in a run its own lists serve',
  },
} as const;

/** Values of `coordinationSlots`. */
export interface CoordinationSlots {
  readonly group_a: unknown;
  readonly group_b?: unknown;
  readonly pair: boolean;
  readonly switch: unknown;
  readonly keyword_form: boolean;
  readonly pbc: boolean;
  readonly list_cutoff?: number | undefined;
}

/** The functors that evaluate what slots describe. */
export function coordinationFunctors(slots: Partial<CoordinationSlots>): readonly Functor[] {
  if (!slots.switch) return [];
  const s = switchingFunction(switchOptions(slots.switch as SwitchSlots), slots.keyword_form);
  const weights = slots.group_b !== undefined ? 'two' : slots.group_a === 'all' ? 'all' : 'self';
  return [zeroShares, neighborPairs(s, weights, SHARED_PLACE)];
}

/** What slot types cannot say. */
export function checkCoordinationSlots(
  slots: Partial<CoordinationSlots>,
  { fail, particleTypes }: Pick<ValidationContext, 'fail' | 'particleTypes'>,
): void {
  const groups = {
    group_a: slots.group_a as Group | undefined,
    group_b: slots.group_b as Group | undefined,
    pair: slots.pair,
  };
  const inGroups = checkGroups(groups, particleTypes.names);
  if (inGroups) fail(inGroups.option, inGroups.code, inGroups.message);
  if (!slots.switch) return;
  const options = switchOptions(slots.switch as SwitchSlots);
  const inSwitch = checkSwitch(options, slots.keyword_form ?? false, spellSwitch);
  if (inSwitch) {
    const path = inSwitch.option === '' ? 'switch' : `switch.${spellSwitch(inSwitch.option)}`;
    fail(path, inSwitch.missing ? 'MISSING_VALUE' : 'INVALID_VALUE', inSwitch.message);
  }
  const range = rangeOf(options, slots.keyword_form, fail);
  if (slots.list_cutoff !== undefined && !(slots.list_cutoff >= range))
    fail(
      'list_cutoff',
      'INVALID_VALUE',
      `list_cutoff ${slots.list_cutoff} is below d_max ${range}: pairs would be lost; raise it, or remove it`,
    );
}

/** The coordination number that slots describe. */
export function coordinationOfSlots(
  slots: CoordinationSlots,
  state: SimulationState,
): CoordinationNumber {
  return new CoordinationNumber(contextOf(state), {
    groupA: slots.group_a as Group,
    groupB: slots.group_b as Group | undefined,
    pair: slots.pair,
    switch: switchOptions(slots.switch as SwitchSlots),
    keywordForm: slots.keyword_form,
    pbc: slots.pbc,
    types: () => speciesOf(state),
  });
}

/** Reach of a switch that has passed `checkSwitch`. */
function rangeOf(
  options: SwitchOptions,
  keywordForm: boolean | undefined,
  fail: (path: string, code: ErrorCode, message: string) => never,
): number {
  try {
    return switchingFunction(options, keywordForm).range;
  } catch (error) {
    if (!(error instanceof CorpuscleError)) throw error;
    return fail('switch', error.code, error.message);
  }
}
