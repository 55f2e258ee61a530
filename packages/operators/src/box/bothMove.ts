import { CorpuscleError, type SourceLocation } from '@corpuscle/core';
import type { BoxPart } from './claimBox.js';

/** The error of two operators that move the same of a box: each would undo what the other does. */
export const bothMove = (
  [first, second]: readonly [string, string],
  parts: readonly BoxPart[],
  location?: SourceLocation,
): CorpuscleError =>
  new CorpuscleError(
    'INVALID_VALUE',
    `${first} and ${second} both move the box (${parts.join(', ')}): leave one out, or let them move different lengths and tilts`,
    location && { location },
  );
