import { relative } from 'node:path';
import type { CorpuscleError, ErrorCode, SimulationWarning, SourceLocation } from '@corpuscle/core';
import colors from 'picocolors';
import type { Streams } from '../Streams.js';
import { wrap } from './wrap.js';

/** What a text may look like; without it as in a file. */
type Look = Partial<Pick<Streams, 'terminal' | 'columns' | 'color'>>;

/** The page that explains codes, and the codes of unknown names. */
const PAGE =
  'https://github.com/corpuscle/corpuscle/blob/main/docs/errors.md#mistakes-of-the-input-exit-code-2';
const UNKNOWN: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['UNKNOWN_KEY', 'UNKNOWN_OPERATOR']);

/**
 * An error as a person reads it: one sentence after file:line:column, and the line with a caret. Several mistakes of an input follow
 * each other, with their number at the end.
 * Anything but a CorpuscleError is a defect of ours and shows its stack, also from an operator that comes with a package.
 */
export function formatError(error: unknown, look: Look = {}): string {
  if (!(error instanceof Error)) return `corpuscle: ${String(error)}\n`;
  if (error.name !== 'CorpuscleError')
    return `corpuscle: an internal error, please report it: ${error.stack ?? error.message}\n`;
  const { more = [] } = error as CorpuscleError;
  const all = [error as CorpuscleError, ...more].map((one) => formatOne(one, look)).join('');
  const count = more.length === 0 ? '' : `${more.length + 1} mistakes\n`;
  const isUnknown = [error as CorpuscleError, ...more].some(({ code }) => UNKNOWN.has(code));
  return `${all}${count}${isUnknown ? `see ${PAGE}\n` : ''}`;
}

function formatOne(error: CorpuscleError, look: Look): string {
  const { location, message, code } = error;
  if (!location)
    return sentence(
      'corpuscle',
      `${message}${code === 'INTERNAL' ? ' (please report this)' : ''}`,
      look,
    );
  const { cause } = error;
  const isDefect = code === 'INTERNAL' && cause instanceof Error && cause.name !== 'CorpuscleError';
  return isDefect
    ? `${at(location, `${message}; please report it`, look)}${cause.stack}\n`
    : at(location, message, look);
}

/** A warning as a person reads it. */
export function formatWarning({ message, location }: SimulationWarning, look: Look = {}): string {
  return at(location, `warning: ${message}`, look);
}

function at(location: SourceLocation, message: string, look: Look): string {
  const place = `${displayPath(location.file)}:${location.line}:${location.column}`;
  // Messages of functors have it already.
  const given = location.frame?.replace(/\n+$/, '') ?? '';
  const frame = given === '' || message.includes(given) ? '' : `${given}\n`;
  const marked = look.color
    ? frame.replace(/\^+/, (carets) => colors.createColors(true).red(carets))
    : frame;
  return sentence(place, message, look) + marked;
}

/** A place and what is wrong there: on a terminal in its width, and the place in bold. */
function sentence(place: string, message: string, { terminal, columns, color }: Look): string {
  const text = `${place}: ${message}`;
  const lines = terminal && columns ? wrap(text, columns) : text;
  return `${color ? lines.replace(place, colors.createColors(true).bold(place)) : lines}\n`;
}

/** A path as the user would write it: relative to the working directory where that is shorter. */
export function displayPath(path: string): string {
  const short = relative(process.cwd(), path);
  return short !== '' && short.length < path.length && !short.startsWith('../..') ? short : path;
}
