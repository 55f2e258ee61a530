import { existsSync } from 'node:fs';
import { CorpuscleError } from '@corpuscle/core';

/** The file that commands read where none is named; `init` writes it. */
export const DEFAULT_INPUT = 'simulation.yaml';

/**
 * The files of a simulation as they were given, or the one with the default name.
 * @throws CorpuscleError FILE_NOT_FOUND
 */
export function inputFiles(given: readonly string[]): readonly string[] {
  if (given.length > 0) return given;
  if (existsSync(DEFAULT_INPUT)) return [DEFAULT_INPUT];
  throw new CorpuscleError(
    'FILE_NOT_FOUND',
    `no file was given, and there is no ${DEFAULT_INPUT} here: name one, or make one with corpuscle init`,
  );
}
