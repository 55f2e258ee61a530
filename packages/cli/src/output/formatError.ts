import { relative } from 'node:path';
import type { CorpuscleError, ErrorCode, SimulationWarning, SourceLocation } from '@corpuscle/core';

/** The page that explains codes, and the codes of names that nobody has. */
const PAGE =
  'https://github.com/corpuscle/corpuscle/blob/main/docs/errors.md#mistakes-of-the-input-exit-code-2';
const UNKNOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['UNKNOWN_KEY', 'UNKNOWN_OPERATOR']);

/**
 * An error as a person reads it: one sentence after file:line:column, and the line with a caret. Several mistakes of an input follow
 * each other, with their number at the end.
 * Anything but a CorpuscleError is a defect of ours and shows its stack, also from an operator that comes with a package.
 */
export function formatError(error: unknown): string {
  if (!(error instanceof Error)) return `corpuscle: ${String(error)}\n`;
  if (error.name !== 'CorpuscleError')
    return `corpuscle: an internal error, please report it: ${error.stack ?? error.message}\n`;
  const { more = [] } = error as CorpuscleError;
  const all = [error as CorpuscleError, ...more].map(formatOne).join('');
  const count = more.length === 0 ? '' : `${more.length + 1} mistakes\n`;
  const isUnknown = [error as CorpuscleError, ...more].some(({ code }) => UNKNOWN.has(code));
  return `${all}${count}${isUnknown ? `see ${PAGE}\n` : ''}`;
}

function formatOne(error: CorpuscleError): string {
  const { location, message, code } = error;
  if (!location)
    return `corpuscle: ${message}${code === 'INTERNAL' ? ' (please report this)' : ''}\n`;
  const { cause } = error;
  const isDefect = code === 'INTERNAL' && cause instanceof Error && cause.name !== 'CorpuscleError';
  return isDefect
    ? `${at(location, `${message}; please report it`)}${cause.stack}\n`
    : at(location, message);
}

/** A warning as a person reads it. */
export function formatWarning({ message, location }: SimulationWarning): string {
  return at(location, `warning: ${message}`);
}

function at(location: SourceLocation, message: string): string {
  const place = `${displayPath(location.file)}:${location.line}:${location.column}`;
  const frame = location.frame ? `${location.frame.replace(/\n+$/, '')}\n` : '';
  return `${place}: ${message}\n${frame}`;
}

/** A path as the user would write it: relative to the working directory where that is shorter. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short !== '' && short.length < path.length && !short.startsWith('../..') ? short : path;
}
