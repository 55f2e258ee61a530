import { CorpuscleError } from '@corpuscle/core';
import type { Mistake } from './messages.js';

/** What is wrong with a text, as marks in an editor. */
export function mistakesOf(error: unknown): Mistake[] {
  if (!(error instanceof CorpuscleError)) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ message, line: 0, column: 0, length: 0, severity: 'error' }];
  }
  return [error, ...error.more].map(({ message, location }) => ({
    message,
    line: location?.line ?? 0,
    column: location?.column ?? 0,
    length: /\^+$/.exec(location?.frame ?? '')?.[0].length ?? 0,
    severity: 'error',
  }));
}
