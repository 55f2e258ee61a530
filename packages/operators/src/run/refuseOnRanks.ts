import { CorpuscleError, operatorsOf, type Simulation, type SourceLocation } from '@corpuscle/core';
import { isAnalysis } from '../analyses/define/defineAnalysis.js';

/**
 * Makes sure that a simulation can run on several ranks: all that is part of Corpuscle can, and analyses of one's own. Other operators
 * would take the particles of a rank for all.
 *
 * @throws CorpuscleError INVALID_VALUE at the first operator, or setting, that only one rank can take
 * @example
 * refuseOnRanks(loadSimulation(['melt.yaml'], { operators: createRegistry() }));
 */
export function refuseOnRanks({ configuration, root }: Simulation): void {
  const refuse = (what: string, location?: SourceLocation): never => {
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${what} cannot run on several ranks yet: leave it out, or run on one rank (docs/scale.md lists what can)`,
      { location },
    );
  };
  if (configuration.deterministic) refuse('deterministic: true');
  for (const { definition, location, isBuiltIn } of operatorsOf(root))
    if (!isBuiltIn && !isAnalysis(definition)) refuse(definition.name, location);
}
