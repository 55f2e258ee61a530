import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { CorpuscleError, isOurs, type SourceLocation } from '@corpuscle/core';

/**
 * What keeps a module from being loaded, at its place where that is known.
 * @param title what messages call the module
 */
export function importFailure(title: string, file: string, cause: unknown): CorpuscleError {
  const text = cause instanceof Error ? cause.message : String(cause);
  const missing = missingModule(text);
  const message = `${title}: ${missing?.message ?? text}`;
  const location =
    missing?.location ??
    placeOf(cause) ??
    (cause instanceof SyntaxError ? checked(file) : undefined);
  return new CorpuscleError('INVALID_VALUE', message, { cause, ...(location && { location }) });
}

/**
 * Where the stack of an error begins, outside of our packages: at a mistake of syntax,
 *
 *   file:///own.mjs:2      or    TypeError: …
 *   import { x } from 'y';           at file:///own.mjs:7:3
 *            ^
 */
export function placeOf(cause: unknown): SourceLocation | undefined {
  const lines = (cause instanceof Error && cause.stack?.split('\n')) || [];
  const [first = '', , marks = ''] = lines;
  const atSyntax = /^(file:\/\/.+?|\/.+?):(\d+)$/.exec(first);
  if (atSyntax) return located(atSyntax[1]!, atSyntax[2]!, marks.indexOf('^') + 1 || 1);
  const frames = lines.filter((line) => /^\s+at .*file:\/\//.test(line)); // without those of Node
  const frame = frames.find((line) => !isOurs(line)) ?? frames[0] ?? '';
  const atCall = /(file:\/\/[^()]+):(\d+):(\d+)\)?$/.exec(frame);
  return atCall ? located(atCall[1]!, atCall[2]!, atCall[3]!) : undefined;
}

const located = (file: string, line: string, column: number | string): SourceLocation => ({
  file: file.startsWith('file://') ? fileURLToPath(file) : file,
  line: Number(line),
  column: Number(column),
});

/** Where Node finds a mistake of syntax, which it tells on its standard error alone. */
function checked(file: string): SourceLocation | undefined {
  const { stderr } = spawnSync(process.execPath, ['--check', file], { encoding: 'utf8' });
  return placeOf(Object.assign(new Error(), { stack: stderr }));
}

/** What Node says of an import that leads nowhere, with the place of the import and what to do. */
function missingModule(
  text: string,
): { readonly message: string; readonly location?: SourceLocation } | null {
  const match = /^Cannot find (module|package) '(.+?)' imported from (.+)$/.exec(text);
  if (!match) return null;
  const [, what, found, by] = match as unknown as [string, string, string, string];
  const file = by.startsWith('file://') ? fileURLToPath(by) : by;
  if (!existsSync(file)) return null;
  const isPackage = what === 'package';
  const wanted = isPackage ? found : path.basename(found);
  const lines = readFileSync(file, 'utf8').split('\n');
  const line = lines.findIndex(
    (one) => /\b(import|from|export)\b/.test(one) && one.includes(wanted),
  );
  const quoted = /(['"])([^'"]+)\1[^'"]*$/.exec(lines[line] ?? '');
  const ending = ['.ts', '.js', '.mjs', '.mts'].find((one) => existsSync(found + one));
  const remedy = isPackage
    ? `install it (npm install ${found})`
    : ending
      ? `write its ending, ${wanted}${ending}`
      : 'check its name';
  return {
    message: `it imports '${quoted?.[2] ?? wanted}', which is not there: ${remedy}`,
    ...(quoted && { location: { file, line: line + 1, column: quoted.index + 1 } }),
  };
}
