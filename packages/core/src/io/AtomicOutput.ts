import { existsSync, mkdirSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/functor/error';
import { AtomicFile, refuseUnwritableTarget, targetOf, unwritable } from './AtomicFile.js';

/**
 * All files of one run, in one folder (absolute names go where they say). Every file, whether written in one go or
 * over the whole run, gets its name only at `commit`, after a completed or interrupted run; what a run that fails has
 * written is removed, together with folders made for it, so that older results are never replaced by broken ones.
 * An interrupted run commits: it stopped after a whole step, and every row is complete.
 *
 * @example
 * const output = new AtomicOutput('results');
 * const file = output.open('thermo.csv');
 * file.write('step,time\n');
 * output.commit();
 */
export class AtomicOutput {
  readonly directory: string;
  #files = new Map<string, AtomicFile>();
  #madeFolders: string[] = [];

  constructor(directory = '.') {
    this.directory = path.resolve(directory);
  }

  /** Absolute path of an output file. */
  resolve(name: string): string {
    return path.resolve(this.directory, name);
  }

  /** The file of that name, opened at the first call; the same one later, so that several operators can add rows. */
  open(name: string): AtomicFile {
    const file = this.resolve(name);
    const present = this.#files.get(file);
    if (present) return present;
    this.#makeFolder(file);
    const opened = new AtomicFile(file);
    this.#files.set(file, opened);
    return opened;
  }

  /**
   * Finds out whether `name` can be written, by trying in its folder; leaves nothing behind.
   * @throws CorpuscleError UNWRITABLE
   */
  check(name: string): void {
    const file = this.resolve(name);
    refuseUnwritableTarget(file);
    const { target, isStream } = targetOf(file);
    if (isStream) return;
    const made: string[] = [];
    try {
      this.#makeFolder(target, made);
      const probe = path.join(path.dirname(target), `.corpuscle-${process.pid}.probe`);
      try {
        writeFileSync(probe, '');
      } finally {
        rmSync(probe, { force: true });
      }
    } catch (cause) {
      throw cause instanceof CorpuscleError ? cause : unwritable(file, cause);
    } finally {
      removeFolders(made);
    }
  }

  /** Gives every file its name. */
  commit(): void {
    for (const file of this.#files.values()) if (file.isOpen) file.commit();
    this.#files.clear();
    this.#madeFolders = [];
  }

  /** Removes every file that has not been committed, and folders made for them. */
  discard(): void {
    for (const file of this.#files.values()) file.discard();
    this.#files.clear();
    removeFolders(this.#madeFolders);
    this.#madeFolders = [];
  }

  #makeFolder(file: string, made: string[] = this.#madeFolders): void {
    const missing: string[] = [];
    for (let folder = path.dirname(file); !existsSync(folder); folder = path.dirname(folder)) {
      missing.unshift(folder);
      if (folder === path.dirname(folder)) break;
    }
    for (const folder of missing) {
      try {
        mkdirSync(folder);
      } catch (cause) {
        throw unwritable(file, cause);
      }
      made.push(folder);
    }
  }
}

function removeFolders(folders: readonly string[]): void {
  for (const folder of [...folders].reverse()) {
    try {
      rmdirSync(folder);
    } catch {
      // Another process has put something there: it stays.
    }
  }
}
