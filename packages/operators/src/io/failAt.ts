import { CorpuscleError, type ErrorCode } from '@corpuscle/core';
import type { LineReader } from './LineReader.js';
import { textLocation } from './textLocation.js';

/** Ends reading with an error at a column (from 1) of the line that was read last. */
export function failAt(
  reader: LineReader,
  text: string,
  column: number,
  message: string,
  code?: ErrorCode,
): never {
  throw new CorpuscleError(code ?? 'FILE_FORMAT', message, {
    location: textLocation(reader.file, reader.line, column, text),
  });
}
