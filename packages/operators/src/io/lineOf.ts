import { LineReader } from './LineReader.js';

/** One line of a text file, from 1; for messages. */
export function lineOf(file: string, line: number): string {
  const reader = new LineReader(file);
  try {
    let text: string | null = '';
    while (reader.line < line && text !== null) text = reader.next();
    return text ?? '';
  } finally {
    reader.close();
  }
}
