import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { CorpuscleError } from '@corpuscle/core';

const BUFFER = 1 << 20;

/**
 * A text file that is being written. The constructor proves that the file can be written and leaves nothing behind;
 * the file itself appears with the first `write`, so that a run whose input is wrong writes nothing.
 *
 * @throws CorpuscleError UNWRITABLE from the constructor or from a write that fails.
 * @example
 * const out = new OutputFile('thermo.csv');
 * out.write('step,energy\n');
 * out.close();
 */
export class OutputFile {
  readonly path: string;
  #fd = -1;
  #pending: string[] = [];
  #length = 0;

  constructor(path: string) {
    this.path = path;
    const existed = exists(path);
    try {
      const folder = mkdirSync(dirname(path), { recursive: true });
      closeSync(openSync(path, 'a'));
      if (folder !== undefined) rmSync(folder, { recursive: true });
      else if (!existed) rmSync(path);
    } catch (cause) {
      throw unwritable(path, cause);
    }
  }

  write(text: string): void {
    this.#pending.push(text);
    this.#length += text.length;
    if (this.#length >= BUFFER) this.flush();
  }

  /** Hands everything to the operating system. */
  flush(): void {
    if (this.#length === 0) return;
    try {
      if (this.#fd < 0) this.#fd = this.#open();
      const bytes = Buffer.from(this.#pending.join(''));
      for (let done = 0; done < bytes.length; ) done += writeSync(this.#fd, bytes, done);
    } catch (cause) {
      throw unwritable(this.path, cause);
    }
    this.#pending = [];
    this.#length = 0;
  }

  #open(): number {
    mkdirSync(dirname(this.path), { recursive: true });
    return openSync(this.path, 'w');
  }

  close(): void {
    this.flush();
    if (this.#fd >= 0) closeSync(this.#fd);
    this.#fd = -1;
  }
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}

function unwritable(path: string, cause: unknown): CorpuscleError {
  const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
  const why: Record<string, string> = {
    EISDIR: 'it is a directory',
    ENOTDIR: 'part of its path is not a directory',
    EEXIST: 'part of its path is not a directory',
    EACCES: 'permission is denied',
    EROFS: 'the file system is read-only',
    ENOSPC: 'the disk is full',
  };
  return new CorpuscleError('UNWRITABLE', `cannot write '${path}': ${why[code] ?? code}`, {
    cause,
  });
}
