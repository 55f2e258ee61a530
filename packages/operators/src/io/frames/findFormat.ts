import { CorpuscleError, didYouMean } from '@corpuscle/core';
import { path } from '@corpuscle/core/platform';
import type { FrameFormat } from './FrameFormat.js';
import { frameFormats } from './formats.js';

/**
 * The format of a file: the one named, else that of the longest ending of the file's name.
 * @throws CorpuscleError INVALID_VALUE naming the formats
 */
export function findFormat(file: string, name?: string): FrameFormat {
  const names = frameFormats.map((format) => format.name);
  if (name !== undefined) {
    const named = frameFormats.find((format) => format.name === name);
    if (named) return named;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `there is no format '${name}'${didYouMean(name, names, `there are ${names.join(', ')}`)}`,
    );
  }
  const lower = path.basename(file).toLowerCase();
  let found: FrameFormat | null = null;
  let longest = 0;
  for (const format of frameFormats)
    for (const ending of format.extensions)
      if (ending.length > longest && lower.endsWith(ending)) {
        found = format;
        longest = ending.length;
      }
  if (found) return found;
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the name '${file}' does not tell its format: give one of ${names.join(', ')}`,
  );
}
