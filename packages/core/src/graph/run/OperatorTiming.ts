import { CorpuscleError } from '@corpuscle/functor/error';
import { type Need, needs, type ScheduleSpec, type StepCount } from '../ScheduleSpec.js';
import type { SimulationState } from '../SimulationState.js';
import type { SlotSpecs } from '../SlotSpec.js';
import type { Scheduled } from './Schedule.js';

/** What the timing of an operator is made from. */
interface Timed {
  readonly name: string;
  readonly definition: ScheduleSpec<SlotSpecs>;
  readonly slots: Readonly<Record<string, unknown>>;
  readonly state: SimulationState;
}

/** When the operator at one point of the graph runs, by what it declares and the present values of its slots. */
export class OperatorTiming implements Scheduled {
  readonly atEnd: boolean;
  readonly #operator: Timed;

  constructor(operator: Timed) {
    this.#operator = operator;
    this.atEnd = operator.definition.atEnd === true;
  }

  get every(): number {
    return this.#count('every') ?? 1;
  }

  get from(): number {
    return this.#count('from') ?? 0;
  }

  get needs(): readonly Need[] {
    const { definition, slots, state } = this.#operator;
    const declared = definition.needs ?? [];
    if (typeof declared !== 'function') return declared;
    return known(declared(slots, state), this.#operator.name);
  }

  #count(which: 'every' | 'from'): number | undefined {
    const { definition, slots, state } = this.#operator;
    const declared: StepCount<SlotSpecs> | undefined = definition[which];
    if (typeof declared === 'string') return slots[declared] as number | undefined;
    return typeof declared === 'function' ? declared(slots, state) : declared;
  }
}

/** Whether a definition says more than: at every pass. */
export const isTimed = ({ every, from }: ScheduleSpec<SlotSpecs>): boolean =>
  every !== undefined || from !== undefined;

/**
 * Checks what can be checked before any simulation: names of slots and needs.
 * @throws CorpuscleError INVALID_VALUE
 */
export function checkTiming(
  name: string,
  definition: ScheduleSpec<SlotSpecs>,
  slots: SlotSpecs,
): void {
  for (const which of ['every', 'from'] as const) {
    const declared = definition[which];
    if (typeof declared === 'number' && !(Number.isInteger(declared) && declared >= 0))
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${which} of ${name} is ${declared}: give a whole number of steps`,
      );
    if (typeof declared !== 'string' || Object.hasOwn(slots, declared)) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${which} of ${name} is '${declared}', which is none of its slots: name a slot, or give a number`,
    );
  }
  if (definition.needs && typeof definition.needs !== 'function') known(definition.needs, name);
}

function known(names: readonly Need[], operator: string): readonly Need[] {
  if (!Array.isArray(names))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `needs of ${operator} is '${String(names)}': give a list, such as ['energy']`,
    );
  for (const name of names) {
    if (needs.includes(name)) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${operator} needs '${name}': what operators can need is ${needs.join(', ')}`,
    );
  }
  return names;
}
