import path from 'node:path';
import { CorpuscleError, OutputFolder } from '@corpuscle/core';
import { exitCode } from '../exitCodes.js';
import type { Streams } from '../Streams.js';
import { convertExanbody } from './exanbody/convertExanbody.js';
import { convertLammps } from './lammps/convertLammps.js';

/** Inputs of other programs, by the name that `--from` gives them. */
const languages = { lammps: convertLammps, exanbody: convertExanbody } as const;
type Language = keyof typeof languages;

/**
 * Which language a file is in: as `--from` says, else by its name; null for files of particles, such as `in.xyz` that is to become
 * another one.
 */
export function languageOf(file: string, to?: string, from?: string): Language | null {
  if (from !== undefined) return Object.hasOwn(languages, from) ? (from as Language) : null;
  if (to !== undefined && !/\.ya?ml$/i.test(to)) return null;
  const name = path.basename(file);
  if (name.endsWith('.msp')) return 'exanbody';
  return /^in\.|\.(in|lmp|lammps)$/.test(name) ? 'lammps' : null;
}

/**
 * `corpuscle convert in.lammps` and `convert in.msp`: a simulation file, to another file or the terminal.
 * @returns exit code 3 where something became a comment
 */
export async function convertScript(
  from: string,
  to: string | undefined,
  language: Language,
  { overwrite }: { readonly overwrite: boolean },
  streams: Streams,
): Promise<number> {
  const { text, isComplete } = languages[language](from);
  if (to === undefined) streams.out(text);
  else await write(to, text, from, overwrite, streams);
  if (isComplete) return exitCode.done;
  streams.err(`${from}: not all has a counterpart: look for "not converted" in the comments\n`);
  return exitCode.incomplete;
}

async function write(
  to: string,
  text: string,
  from: string,
  overwrite: boolean,
  streams: Streams,
): Promise<void> {
  if (path.resolve(from) === path.resolve(to))
    throw new CorpuscleError('INVALID_VALUE', 'from and to are the same file');
  const output = new OutputFolder('.', {
    use: 'shared',
    older: overwrite ? 'replace' : 'keep',
    onNotice: (notice) => streams.err(`${notice}\n`),
  });
  try {
    await output.writeWhole(to, text);
  } finally {
    await output.close();
  }
  streams.out(`${to}: check it with corpuscle check ${to}\n`);
}
