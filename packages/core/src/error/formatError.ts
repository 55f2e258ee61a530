import { CorpuscleError } from '@corpuscle/functor/error';

/**
 * An error as people read it: `file:line:column: message`, and the line with a caret when there is one.
 * Errors that are not Corpuscle's keep their own message.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof CorpuscleError)) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  const { location } = error;
  if (!location) return error.message;
  const frame = location.frame ? `\n${location.frame}` : '';
  return `${location.file}:${location.line}:${location.column}: ${error.message}${frame}`;
}
