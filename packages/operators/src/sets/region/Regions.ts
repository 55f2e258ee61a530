import { CorpuscleError, didYouMean, type SimulationState, stateKey } from '@corpuscle/core';
import { speciesOf } from '../../system/placeParticles.js';
import { groupsOf } from '../group/Groups.js';
import type { RegionExpression } from './Region.js';
import type { RegionNames } from './resolveRegion.js';

/** Regions by name, as they were written. */
export const regionsKey = stateKey<Map<string, RegionExpression>>(
  'regions',
  'put region before the operators that use it',
);

/** The error of a name that no region has. */
export const unknownRegion = (name: string, regions: Iterable<string>): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    /^\w[\w-]*$/.test(name)
      ? `there is no region '${name}'${didYouMean(name, regions, `put region: { name: ${name}, … } before the operators that use it`)}`
      : `a region is the name of one, or a map such as { box: { z: [0, 2] } }, and '${name}' is neither`,
  );

/** What names stand for in the regions of a run. */
export function regionNames(state: SimulationState): RegionNames {
  const regions = state.obtain(regionsKey, () => new Map<string, RegionExpression>());
  return {
    region(name) {
      const known = regions.get(name);
      if (known !== undefined) return known;
      throw unknownRegion(name, regions.keys());
    },
    type(name) {
      const types = speciesOf(state);
      const index = types.indexOf(name);
      if (index >= 0) return index;
      throw new CorpuscleError(
        'UNKNOWN_TYPE',
        `'${name}' is not a particle type${didYouMean(name, [...types])}`,
      );
    },
    group: (name) => groupsOf(state).bits(name),
  };
}
