import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/core';

/** Where a command stands. */
export interface Place {
  readonly file: string;
  readonly line: number;
}

/** A command as it is written, before variables are put in. */
export interface Command extends Place {
  readonly text: string;
}

/** What a script may have at most: scripts may come from anywhere. */
const MOST = { bytes: 4 * 2 ** 20, command: 2 ** 16, commands: 20_000, words: 4096 } as const;

/** A mistake in a script. */
export function mistake({ file, line }: Place, message: string): CorpuscleError {
  return new CorpuscleError('SYNTAX', message, { location: { file, line, column: 1 } });
}

/**
 * Commands of a file: lines without comments, those that end in `&` joined, triple quotes over several lines.
 * @throws CorpuscleError FILE_NOT_FOUND, SYNTAX for what is too long or has no closing quote
 */
export function readCommands(file: string): Command[] {
  const lines = textOf(file).split(/\r?\n/);
  const commands: Command[] = [];
  for (let k = 0; k < lines.length; k++) {
    const place = { file, line: k + 1 };
    let text = withoutComment(lines[k]!);
    const goesOn = () => /&\s*$/.test(text) || countOf(text, '"""') % 2 === 1;
    while (goesOn() && k + 1 < lines.length) {
      const next = lines[++k]!;
      text = /&\s*$/.test(text)
        ? text.replace(/&\s*$/, ' ') + withoutComment(next)
        : `${text}\n${next}`;
      if (text.length > MOST.command) break;
    }
    if (text.length > MOST.command)
      throw mistake(place, `a command has more than ${MOST.command} characters: write it shorter`);
    if (countOf(text, '"""') % 2 === 1) throw mistake(place, 'three quotes are not closed');
    if (text.trim() !== '') commands.push({ ...place, text });
    if (commands.length > MOST.commands)
      throw mistake(place, `the script has more than ${MOST.commands} commands`);
  }
  return commands;
}

const countOf = (text: string, part: string): number => text.split(part).length - 1;

function textOf(file: string): string {
  const stat = existsSync(file) ? statSync(file) : null;
  if (!stat?.isFile())
    throw new CorpuscleError('FILE_NOT_FOUND', `there is no file '${file}': check its name`);
  if (stat.size > MOST.bytes)
    throw mistake({ file, line: 1 }, `the file has more than ${MOST.bytes} bytes: it is no script`);
  return readFileSync(file, 'utf8');
}

/** Everything before a # that is not quoted. */
function withoutComment(line: string): string {
  let quote = '';
  for (let k = 0; k < line.length; k++) {
    const c = line[k]!;
    if (quote) quote = c === quote ? '' : quote;
    else if (c === '"' || c === "'") quote = c;
    else if (c === '#') return line.slice(0, k);
  }
  return line;
}

/** Words of a command; what is quoted is one word. @throws CorpuscleError SYNTAX */
export function wordsOf(text: string, place: Place): string[] {
  const words: string[] = [];
  const pattern = /\s*(?:"""([\s\S]*?)"""|"([^"]*)"|'([^']*)'|([^\s"'][^\s]*)|(["']))/y;
  const end = text.trimEnd().length;
  while (pattern.lastIndex < end) {
    const match = pattern.exec(text);
    if (!match) break;
    if (match[5]) throw mistake(place, `a quote (${match[5]}) is not closed`);
    words.push(match[1] ?? match[2] ?? match[3] ?? match[4]!);
    if (words.length > MOST.words)
      throw mistake(place, `a command has more than ${MOST.words} words`);
  }
  return words;
}

/** Whether a name leads to the folder of the script or below. */
function isBeside(name: string, place: Place): boolean {
  const folder = path.dirname(place.file);
  const within = path.relative(folder, path.join(folder, name));
  return !path.isAbsolute(name) && !within.startsWith('..') && !path.isAbsolute(within);
}

/**
 * The file of an `include`: beside the script that names it, or below.
 * @throws CorpuscleError SYNTAX for a name that leads elsewhere, FILE_NOT_FOUND
 */
export function includedFile(name: string, place: Place): string {
  if (!isBeside(name, place))
    throw mistake(place, `'${name}' is not beside the script: copy the file there`);
  const file = path.join(path.dirname(place.file), name);
  if (!existsSync(file))
    throw new CorpuscleError('FILE_NOT_FOUND', `there is no file '${name}' beside the script`, {
      location: { ...place, column: 1 },
    });
  return file;
}

/** The beginning of a file beside the script, at most `bytes`; nothing where it is elsewhere, or not there. */
export function textBeside(place: Place, name: string, bytes = 2 ** 24): string {
  const file = path.join(path.dirname(place.file), name);
  if (!isBeside(name, place) || !existsSync(file) || !statSync(file).isFile()) return '';
  const buffer = Buffer.alloc(Math.min(bytes, statSync(file).size));
  const open = openSync(file, 'r');
  try {
    return buffer.toString('utf8', 0, readSync(open, buffer, 0, buffer.length, 0));
  } finally {
    closeSync(open);
  }
}
