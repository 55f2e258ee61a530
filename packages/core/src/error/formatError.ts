import { CorpuscleError } from '@corpuscle/functor/error';

/**
 * An error as people read it: `file:line:column: message`, and the line with a caret when there is one; then the further mistakes
 * of the same input. Errors that are not Corpuscle's keep their own message.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof CorpuscleError)) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
  return [error, ...error.more].map(formatOne).join('\n').replace(CONTROLS, '\ufffd');
}

/** Characters of a file that is no text could command the terminal. */
const CONTROLS = /(?![\t\n])\p{Cc}/gu;

function formatOne({ location, message }: CorpuscleError): string {
  if (!location) return message;
  const frame = location.frame ? `\n${location.frame}` : '';
  return `${location.file}:${location.line}:${location.column}: ${message}${frame}`;
}
