import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';

/**
 * Makes sure that a simulation can run on several ranks: all that is part of Corpuscle can, and operators of one's own that declare
 * `ranks`. Analyses and pair potentials do. Others would take the particles of a rank for all.
 *
 * @throws CorpuscleError INVALID_VALUE at the first operator that only one rank can take
 * @example
 * refuseOnRanks(loadSimulation(['melt.yaml'], { operators: createRegistry() }));
 */
export function refuseOnRanks({ root }: Simulation): void {
  for (const { definition, location, isBuiltIn } of operatorsOf(root)) {
    if (isBuiltIn || definition.ranks) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${definition.name} cannot run on several ranks yet: leave it out, or run on one rank (docs/scale.md says what can)`,
      { location },
    );
  }
}
