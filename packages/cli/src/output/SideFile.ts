import { closeSync, openSync, writeSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFolders, outputFailed, unwritable } from '@corpuscle/core';

/** What a file beside a run is. */
interface SideFileOptions {
  /** The option that names it, for messages. */
  readonly option: string;
  /** `a` appends, `w` begins anew. */
  readonly flags: 'a' | 'w';
  /** Told once that the file takes no more, and why. */
  readonly warn: (message: string) => void;
}

/** A log or a trace beside a run. Folders that are missing are made. Where the file takes no more, the run goes on without it. */
export class SideFile {
  readonly #file: string;
  readonly #descriptor: number;
  readonly #warn: (message: string) => void;
  #isBroken = false;

  /** @throws CorpuscleError UNWRITABLE naming the option */
  constructor(file: string, { option, flags, warn }: SideFileOptions) {
    this.#file = file;
    this.#warn = warn;
    makeFolders(resolve(file), option);
    try {
      this.#descriptor = openSync(file, flags);
    } catch (cause) {
      throw unwritable(file, cause, option);
    }
  }

  write(text: string): void {
    if (this.#isBroken) return;
    try {
      writeSync(this.#descriptor, text);
    } catch (cause) {
      this.#isBroken = true;
      this.#warn(`${outputFailed(this.#file, cause).message}; the run goes on without it`);
    }
  }

  close(): void {
    closeSync(this.#descriptor);
  }
}
