import { SideFile } from './SideFile.js';

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
  readonly #file: SideFile;

  /** @throws CorpuscleError UNWRITABLE */
  constructor(file: string, warn: (message: string) => void) {
    this.#file = new SideFile(file, { option: '--log', flags: 'a', warn });
  }

  write(event: RunEvent): void {
    this.#file.write(`${lineOf(event)}\n`);
  }

  close(): void {
    this.#file.close();
  }
}
