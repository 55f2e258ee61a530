import { CorpuscleError } from '@corpuscle/core';
import { lineOf } from '../lineOf.js';
import { textLocation } from '../textLocation.js';
import type { XyzColumn } from './xyzHeader.js';

/** @throws CorpuscleError FILE_FORMAT at the second of two particles with one id. */
export function checkDistinctIds(
  ids: Float64Array,
  file: string,
  firstLine: number,
  columns: readonly XyzColumn[],
): void {
  const sorted = ids.slice().sort();
  let twice = -1;
  for (let k = 1; k < sorted.length && twice < 0; k++)
    if (sorted[k] === sorted[k - 1]) twice = sorted[k]!;
  if (twice < 0) return;
  const first = ids.indexOf(twice);
  const line = firstLine + ids.indexOf(twice, first + 1);
  const text = lineOf(file, line);
  const start = columns.find((column) => column.name === 'id')?.start ?? 0;
  let column = 1;
  let index = 0;
  for (const word of text.matchAll(/\S+/g)) if (index++ === start) column = word.index + 1;
  throw new CorpuscleError(
    'FILE_FORMAT',
    `id ${twice} occurs twice, first on line ${firstLine + first}: ids must differ`,
    { location: textLocation(file, line, column, text) },
  );
}
