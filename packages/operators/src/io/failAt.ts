import { CorpuscleError, type ErrorCode } from '@corpuscle/core';
import { textLocation } from './textLocation.js';

const LONGEST = 400;

/** A message of bounded length: a word of a broken file can be as long as a line. */
export const clip = (message: string): string =>
  message.length > LONGEST ? `${message.slice(0, LONGEST)} …` : message;

/** Something that is read line by line. */
export interface AtLine {
  readonly file: string;
  /** Number of the line that was read last, from 1. */
  readonly line: number;
}

/** Ends reading with an error at a column (from 1) of the line that was read last. */
export function failAt(
  reader: AtLine,
  text: string,
  column: number,
  message: string,
  code?: ErrorCode,
): never {
  throw new CorpuscleError(code ?? 'FILE_FORMAT', clip(message), {
    location: textLocation(reader.file, reader.line, column, text),
  });
}
