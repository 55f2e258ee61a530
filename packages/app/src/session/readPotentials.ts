import { CorpuscleError, dimensions } from '@corpuscle/core';
import { syntaxMistake } from '@corpuscle/functor';
import { type AnyPairPotential, definePairPotential } from '@corpuscle/operators';

/** The name of that text in places of mistakes. */
export const POTENTIAL = 'potential';

/** Lines before the text in the function that is made of it. */
const HEAD = 3;

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
  const wrong = syntaxMistake(text);
  if (wrong) {
    const { line, column } = wrong;
    // Texts of files begin so.
    const message = wrong.message.includes('sourceType')
      ? 'leave import and export out, as definePairPotential and dimensions are at hand'
      : wrong.message;
    const location = { file: POTENTIAL, line, column };
    throw new CorpuscleError('FUNCTOR_SYNTAX', `the potential is no JavaScript: ${message}`, {
      location,
    });
  }
  try {
    new Function('definePairPotential', 'dimensions', `"use strict";\n${text}`)(define, dimensions);
  } catch (cause) {
    throw inPotential(cause);
  }
  return found;
}

/** A mistake of that text: at its line, where the browser tells. What the compiler says of a functor has a place of its own. */
export function inPotential(cause: unknown): CorpuscleError {
  if (cause instanceof CorpuscleError && cause.code.startsWith('FUNCTOR')) return cause;
  const { message, stack = '' } = cause as Error;
  const place = /(?:<anonymous>|Function):(\d+):(\d+)\)?$/m.exec(stack);
  const line = place ? Math.max(0, Number(place[1]) - HEAD) : 0;
  const location = { file: POTENTIAL, line, column: line > 0 ? Number(place![2]) : 0 };
  return cause instanceof CorpuscleError
    ? new CorpuscleError(cause.code, message, { location, cause })
    : new CorpuscleError('FUNCTOR_SYNTAX', `the potential: ${message}`, { location, cause });
}
