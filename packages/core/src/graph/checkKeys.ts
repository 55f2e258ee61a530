import { CorpuscleError, suggesting } from '@corpuscle/functor/error';
import { editDistance } from '../error/nearestName.js';
import type { OperatorDefinition } from './defineOperator.js';

/** All that a definition may say. */
const keys: Readonly<Record<keyof OperatorDefinition, true>> = {
  ...{ name: true, aliases: true, doc: true, slots: true, namedOutputs: true },
  ...{ requires: true, provides: true, writes: true, reads: true, reach: true, validate: true },
  ...{ box: true, movesBox: true, needsEvenSteps: true, unwraps: true, endsLoop: true },
  ...{ prepare: true, execute: true, executeMany: true, calls: true, variant: true },
  ...{ doesMore: true, steadyUntil: true, hostOnly: true, drifts: true, ranks: true },
  ...{ changesMomentum: true, changesVelocities: true, keepsTemperature: true },
  ...{ keepsNoAccount: true, functors: true, save: true, restore: true, keeper: true },
  ...{ executesOnResume: true, finish: true, dispose: true },
  ...{ every: true, from: true, atEnd: true, needs: true },
};

/** @throws CorpuscleError INVALID_VALUE for a key that is nearly one of a definition. Others are the author's own affair. */
export function checkKeys(definition: OperatorDefinition): void {
  for (const key of Object.keys(definition)) {
    if (Object.hasOwn(keys, key)) continue;
    const most = Math.min(2, Math.floor(key.length / 3));
    const near = Object.keys(keys).find((name) => editDistance(key, name, most) <= most);
    if (near !== undefined)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `operator '${definition.name}' has a key '${key}' in its definition, which means nothing: ${suggesting(near)}`,
      );
  }
}
