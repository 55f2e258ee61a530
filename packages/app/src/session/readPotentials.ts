import { CorpuscleError, dimensions } from '@corpuscle/core';
import { type AnyPairPotential, definePairPotential } from '@corpuscle/operators';

/**
 * Potentials that a user has typed: JavaScript that calls `definePairPotential`, with `dimensions` at hand.
 * @throws CorpuscleError FUNCTOR_SYNTAX for what is no JavaScript; what `definePairPotential` throws
 */
export function readPotentials(text: string): AnyPairPotential[] {
  if (text.trim() === '') return [];
  const found: AnyPairPotential[] = [];
  const define = (...given: Parameters<typeof definePairPotential>) => {
    const made = definePairPotential(...given);
    found.push(made);
    return made;
  };
  try {
    new Function('definePairPotential', 'dimensions', `"use strict";\n${text}`)(define, dimensions);
  } catch (cause) {
    if (cause instanceof CorpuscleError) throw cause;
    throw new CorpuscleError('FUNCTOR_SYNTAX', `the potential: ${(cause as Error).message}`, {
      cause,
    });
  }
  return found;
}
