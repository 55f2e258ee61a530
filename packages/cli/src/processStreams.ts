import { createInterface } from 'node:readline';
import { exitCode } from './exitCodes.js';
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

/**
 * From now on the process fails where what it prints gets lost, as on a full disk; a reader that has seen enough loses nothing.
 * It is for commands whose result is what they print.
 */
export function failWhereOutputIsLost(): void {
  process.stdout.once('error', ({ code, message }: NodeJS.ErrnoException) => {
    if (code === 'EPIPE') return;
    const why = code === 'ENOSPC' ? 'the disk is full' : message;
    process.stderr.write(`corpuscle: what is printed is not complete: ${why}\n`);
    process.on('exit', () => {
      process.exitCode ||= exitCode.failed;
    });
  });
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
