import { createInterface } from 'node:readline';
import { printable } from './output/printable.js';
import type { Streams } from './Streams.js';

/**
 * The streams of this process. What is shown may get lost: to a reader that has seen enough, as in `corpuscle run … | head`, to a
 * terminal that is closed, or to a full disk. The run and its files go on.
 */
export function processStreams(): Streams {
  const { stdin, stdout, stderr } = process;
  for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
  return {
    out: (text) => stdout.write(printable(text)),
    err: (text) => stderr.write(printable(text)),
    terminal: stderr.isTTY === true && stdout.isTTY === true,
    color: stderr.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb',
    columns: stderr.columns,
    ...(stdin.isTTY && { ask }),
  };
}

/** The line typed after a question; empty where the input ends. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin });
  const line = await new Promise<string>((resolve) => {
    lines.once('line', resolve).once('close', () => resolve(''));
    process.stderr.write(question);
  });
  lines.close();
  return line;
}
