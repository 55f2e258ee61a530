import { CorpuscleError, operatorsOf, type Simulation } from '@corpuscle/core';

/**
 * Makes sure that a simulation can run on ranks that each have a card: all that is part of Corpuscle can, unless it declares
 * `ranks: 'cpu'`, and operators of one's own that declare `ranks: 'cards'`, or never touch particles.
 *
 * @throws CorpuscleError INVALID_VALUE for deterministic runs, and at the first operator that cannot run so
 * @example
 * refuseOnCards(loadSimulation(['melt.yaml'], { operators: createRegistry() }));
 */
export function refuseOnCards({ root, configuration }: Simulation): void {
  if (configuration.deterministic)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'deterministic runs cannot be divided between cards yet: use --backend cpu, or one rank',
    );
  for (const { definition, location, isBuiltIn } of operatorsOf(root)) {
    const { ranks = isBuiltIn ? 'cards' : undefined } = definition;
    if (ranks === 'cards' || definition.hostOnly === true) continue;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${definition.name} cannot run on ranks with cards yet: leave it out, use --backend cpu, or run on one rank (docs/scale.md says what can)`,
      { location },
    );
  }
}
