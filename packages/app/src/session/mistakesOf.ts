import { CorpuscleError } from '@corpuscle/core';
import type { Mistake, Texts } from './messages.js';
import { POTENTIAL } from './readPotentials.js';

const nowhere = { line: 0, column: 0, length: 0, severity: 'error' } as const;

/** What is wrong with texts, as marks in an editor. */
export function mistakesOf(error: unknown, { potential }: Texts): Mistake[] {
  if (!(error instanceof CorpuscleError)) {
    const message = error instanceof Error ? error.message : String(error);
    return [{ ...nowhere, text: 'simulation', message }];
  }
  return [error, ...error.more].map((one) =>
    one.location?.file === POTENTIAL || one.code.startsWith('FUNCTOR')
      ? inPotential(one, potential)
      : inSimulation(one),
  );
}

function inSimulation({ message, location }: CorpuscleError): Mistake {
  const { line = 0, column = 0, frame = '' } = location ?? {};
  const length = /\^+$/.exec(frame)?.[0].length ?? 0;
  return { text: 'simulation', message, line, column, length, severity: 'error' };
}

/** The compiler counts the lines of a function: the line that it shows is looked for in the whole text. */
function inPotential({ message, location }: CorpuscleError, potential: string): Mistake {
  const [first = ''] = message.split('\n');
  const shown = /^> *\d+ \| (.*)\n.*\| ( *)(\^+)/m.exec(location?.frame ?? message);
  const { file, line = 0, column: at = 0 } = location ?? {};
  const mistake = {
    ...nowhere,
    ...(file === POTENTIAL && { line, column: at }),
    text: 'potential',
    message: first.replace(/ \(defined at.*?\)/, ''),
  } as const;
  if (!shown) return mistake;
  const [, code = '', room = '', carets = ''] = shown;
  const lines = potential.split('\n');
  const row = lines.findIndex((line) => line.includes(code));
  if (row < 0) return mistake;
  const column = lines[row]!.indexOf(code) + room.length + 1;
  return { ...mistake, line: row + 1, column, length: carets.length };
}
