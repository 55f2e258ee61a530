import { CorpuscleError, suggesting } from '@corpuscle/functor/error';
import { editDistance } from '../error/nearestName.js';
import type { OperatorDefinition } from './defineOperator.js';
import type { StateKey } from './StateKey.js';

/** All that a definition may say. */
const keys: Readonly<Record<keyof OperatorDefinition, true>> = {
  ...{ name: true, aliases: true, doc: true, slots: true, namedOutputs: true },
  ...{ requires: true, provides: true, writes: true, reads: true, reach: true, validate: true },
  ...{ box: true, checkBox: true, movesBox: true, needsEvenSteps: true },
  ...{ unwraps: true, endsLoop: true },
  ...{ prepare: true, execute: true, executeMany: true, calls: true, variant: true },
  ...{ doesMore: true, steadyUntil: true, hostOnly: true, drifts: true, ranks: true },
  ...{ changesMomentum: true, changesVelocities: true, keepsTemperature: true },
  ...{ keepsNoAccount: true, functors: true, save: true, restore: true, keeper: true },
  ...{ executesOnResume: true, finish: true, dispose: true },
  ...{ every: true, from: true, atEnd: true, needs: true },
};

/**
 * Checks that a definition has what each must have, which TypeScript has not always seen.
 * @throws CorpuscleError INVALID_VALUE
 */
export function checkDefinition(definition: OperatorDefinition): void {
  const { name, slots, execute, requires = [], provides = [] } = definition as WrittenDefinition;
  if (typeof name !== 'string') throw invalid('an operator has no name: give one in snake_case');
  checkKeys(definition);
  if (typeof execute !== 'function')
    throw invalid(
      `'${name}' has slots and no execute: give one, a function that does what it is for`,
    );
  if (typeof slots !== 'object' || slots === null)
    throw invalid(`'${name}' has execute and no slots: say slots: {} if it takes none`);
  for (const [list, keys] of Object.entries({ requires, provides }))
    for (const key of keys)
      if (typeof key?.name !== 'string')
        throw invalid(
          `${list} of operator '${name}' has ${String(key)}: give keys of the state, such as gridKey`,
        );
}

/** A definition as far as it has not been checked. */
type WrittenDefinition = Readonly<Partial<Record<'name' | 'slots' | 'execute', unknown>>> & {
  readonly requires?: readonly (StateKey<unknown> | undefined)[];
  readonly provides?: readonly (StateKey<unknown> | undefined)[];
};

const invalid = (message: string) => new CorpuscleError('INVALID_VALUE', message);

/** @throws CorpuscleError INVALID_VALUE for a key that is nearly one of a definition. Others are the author's own affair. */
function checkKeys(definition: OperatorDefinition): void {
  for (const key of Object.keys(definition)) {
    if (Object.hasOwn(keys, key)) continue;
    const most = Math.min(2, Math.floor(key.length / 3));
    const near = Object.keys(keys).find((name) => editDistance(key, name, most) <= most);
    if (near !== undefined)
      throw invalid(
        `operator '${definition.name}' has a key '${key}' in its definition, which means nothing: ${suggesting(near)}`,
      );
  }
}
