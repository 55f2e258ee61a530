import { closeSync, openSync, writeSync } from 'node:fs';
import { CorpuscleError } from '@corpuscle/core';
import { displayPath } from './formatError.js';

/** An event of a run: a line of JSON. */
export interface RunEvent {
  readonly event: 'start' | 'progress' | 'message' | 'row' | 'notice' | 'warning' | 'error' | 'end';
  readonly [name: string]: unknown;
}

/** An event with its time, in one line of JSON. */
export const lineOf = (event: RunEvent): string =>
  JSON.stringify({ at: new Date().toISOString(), ...event });

/**
 * The log of runs, in lines of JSON with their time. Runs append to it, so that one that goes on continues the log of the first.
 * Every line is handed to the system at once: a kill leaves whole lines.
 */
export class RunLog {
  readonly #descriptor: number;
  /** Whether a line could not be written: the run goes on without its log. */
  #isBroken = false;

  /** @throws CorpuscleError UNWRITABLE */
  constructor(file: string) {
    try {
      this.#descriptor = openSync(file, 'a');
    } catch (cause) {
      const why = (cause as Error).message;
      throw new CorpuscleError('UNWRITABLE', `--log ${displayPath(file)}: ${why}`, { cause });
    }
  }

  write(event: RunEvent): void {
    if (this.#isBroken) return;
    try {
      writeSync(this.#descriptor, `${lineOf(event)}\n`);
    } catch {
      this.#isBroken = true;
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
