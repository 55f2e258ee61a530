import { relative } from 'node:path';
import type { CorpuscleError, SimulationWarning, SourceLocation } from '@corpuscle/core';

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
  return more.length === 0 ? all : `${all}${more.length + 1} mistakes\n`;
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
