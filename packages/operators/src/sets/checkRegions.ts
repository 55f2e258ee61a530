import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';
import { known } from '../run/cutoffs.js';
import type { RegionExpression } from './region/Region.js';
import { regionSpec } from './region/regionSpec.js';
import { resolveRegion } from './region/resolveRegion.js';

/** Names are looked at elsewhere: here any stands for something right. */
const anyNames = { region: () => ({ ids: [0] }), type: () => 0, group: () => 1 };

/** Regions whose shapes make no sense, such as a box with its bounds in the wrong order: a run would fail when it comes to them. */
export function checkRegions({ root }: Simulation): readonly CorpuscleError[] {
  return [...operatorsOf(root)].flatMap((node) =>
    Object.entries(node.definition.slots).flatMap(([slot, spec]) => {
      const isRegion = spec.type === 'any_of' && spec.options === regionSpec.options;
      const given = isRegion ? known(node, slot) : undefined;
      if (given?.value === undefined) return [];
      try {
        resolveRegion(given.value as RegionExpression, anyNames);
        return [];
      } catch (error) {
        if (!(error instanceof CorpuscleError)) throw error;
        const location = given.location ?? node.location;
        return [new CorpuscleError(error.code, error.message, { ...(location && { location }) })];
      }
    }),
  );
}
