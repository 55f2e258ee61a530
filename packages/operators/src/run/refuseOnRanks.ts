import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';
import { isAnalysis } from '../analyses/define/defineAnalysis.js';

/**
 * Makes sure that a simulation can run on several ranks: all that is part of Corpuscle can, and analyses of one's own. Other operators
 * would take the particles of a rank for all.
 *
 * @throws CorpuscleError INVALID_VALUE at the first operator that only one rank can take
 * @example
 * refuseOnRanks(loadSimulation(['melt.yaml'], { operators: createRegistry() }));
 */
export function refuseOnRanks({ root }: Simulation): void {
  for (const { definition, location, isBuiltIn } of operatorsOf(root)) {
    if (isBuiltIn || isAnalysis(definition)) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${definition.name} cannot run on several ranks yet: leave it out, or run on one rank (docs/scale.md says what can)`,
      { location },
    );
  }
}
