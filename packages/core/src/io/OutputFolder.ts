import { CorpuscleError } from '@corpuscle/functor/error';
import {
  existsSync,
  host,
  path,
  randomBytes,
  rmSync,
  statSync,
  writeFileSync,
} from '#core/platform';
import type { Timer } from '../platform/Host.js';
import { FolderLock } from './FolderLock.js';
import { makeFolders, removeFolders } from './folders.js';
import { GrowingFile } from './GrowingFile.js';
import { keepOlder } from './olderFiles.js';
import { refuseUnwritableTarget, targetOf, unwritable } from './outputErrors.js';
import { removePartials } from './partialFiles.js';
import { type FileContent, writeWhole } from './writeWhole.js';

/** Milliseconds between looks at whether files still have their names. */
const LOOK = 500;
/** Milliseconds of waiting for the disk that are worth telling. */
const WORTH_TELLING = 100;

/** How the files of a run begin. */
export interface OutputFolderOptions {
  /** What happens to files of earlier runs: `keep` (default) gives them numbered names, `replace` forgets them. */
  readonly older?: 'keep' | 'replace';
  /** Files to go on with, and after how many bytes: `positions()` of the run that goes on. */
  readonly resumeAt?: Readonly<Record<string, number>>;
  /**
   * `run` (default) makes this run the only one that writes there; `shared` lets others write other files; with `nothing` all
   * that is written is forgotten, as another process writes it.
   */
  readonly use?: 'run' | 'shared' | 'nothing';
  /** Told in a sentence what happens to files of earlier runs, and for how long writers have waited for the disk. */
  readonly onNotice?: (text: string) => void;
}

/**
 * All files of one run, in one folder (absolute names go where they say): files that grow and files that appear when they are
 * complete. One that fails leaves the others alone.
 *
 * @example
 * const output = new OutputFolder('results');
 * const file = output.open('thermo.csv');
 * file.write('step,time\n');
 * await output.writeWhole('last.json', '{}\n');
 * await output.close();
 */
export class OutputFolder {
  readonly directory: string;
  readonly #options: OutputFolderOptions;
  readonly #growing = new Map<string, GrowingFile>();
  /** Sizes of files that this run has written whole. */
  readonly #whole = new Map<string, number>();
  readonly #failures: CorpuscleError[] = [];
  #watch: Timer | null = null;
  #lock: FolderLock | null = null;

  constructor(directory = '.', options: OutputFolderOptions = {}) {
    this.directory = path.resolve(directory);
    this.#options = options;
  }

  /** Absolute path of an output file. */
  resolve(name: string): string {
    return path.resolve(this.directory, name);
  }

  /** Whether an output file is in the folder, and not at an absolute place elsewhere. */
  isInside(name: string): boolean {
    return !path.isAbsolute(this.#nameOf(this.resolve(name)));
  }

  /**
   * Makes this run the only one that writes into the folder, if the folder is there; otherwise the first file does so.
   * @throws CorpuscleError OUTPUT_FAILED naming the run that writes there now; UNWRITABLE.
   */
  lock(): void {
    const { use = 'run' } = this.#options;
    if (this.#lock || use !== 'run' || !existsSync(this.directory)) return;
    this.#lock = new FolderLock(this.directory);
    this.#watch ??= host.release(setInterval(() => this.#look(), LOOK));
  }

  /**
   * The growing file of that name, opened at the first call; the same one later, so that several operators can add records. A
   * file that this run has written whole goes on at its end. A new one has `position` 0: the place for a header.
   *
   * @throws CorpuscleError UNWRITABLE
   */
  open(name: string): GrowingFile {
    const file = this.resolve(name);
    const present = this.#growing.get(file);
    if (present) return present;
    const opened = new GrowingFile(this.writes ? file : host.nowhere, {
      ...this.#older(file),
      onOpen: () => this.#lockFor(file),
      resumeAt: this.#whole.get(file) ?? this.#options.resumeAt?.[this.#nameOf(file)],
      onFailure: (error) => this.#failures.push(error),
    });
    this.#growing.set(file, opened);
    this.#watch ??= host.release(setInterval(() => this.#look(), LOOK));
    return opened;
  }

  /**
   * Opens the files to go on with, and cuts off what came after their positions. So `positions` knows them before their operators
   * write again.
   * @throws CorpuscleError UNWRITABLE; FILE_FORMAT when a file is shorter than it was.
   */
  resume(): void {
    for (const name of Object.keys(this.#options.resumeAt ?? {})) this.open(name);
  }

  /**
   * Writes a file that appears under its name when it is complete; see `writeWhole`.
   * @throws CorpuscleError OUTPUT_FAILED: names that cannot be written are found by `check` before.
   */
  async writeWhole(name: string, content: FileContent): Promise<void> {
    if (!this.writes) return;
    const file = this.resolve(name);
    try {
      makeFolders(file);
      this.#claim(file);
      await writeWhole(file, content, this.#older(file));
      this.#whole.set(file, statSync(file).size);
    } catch (cause) {
      const error = cause instanceof CorpuscleError ? cause : unwritable(file, cause);
      if (error.code !== 'UNWRITABLE') throw error;
      throw new CorpuscleError('OUTPUT_FAILED', error.message, { cause });
    }
  }

  /** False where another process writes these files. */
  get writes(): boolean {
    return this.#options.use !== 'nothing';
  }

  /**
   * The path of a file that others write, a library for instance: its folder is there, and belongs to this run. An older file gets
   * a numbered name, unless the run goes on with it.
   * @throws CorpuscleError UNWRITABLE; INVALID_VALUE for a device or a pipe
   */
  claim(name: string, { goesOn = false }: { readonly goesOn?: boolean } = {}): string {
    const file = this.resolve(name);
    refuseUnwritableTarget(file);
    const { file: target, isStream } = targetOf(file);
    if (isStream)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `${name} cannot be written, as its bytes must be replaced: give the name of a file`,
      );
    makeFolders(target);
    this.#claim(file);
    if (goesOn) return target;
    const { older, onKept } = this.#older(file);
    const kept = older === 'keep' ? keepOlder(target, 'move') : null;
    if (kept !== null) onKept(kept);
    return target;
  }

  /** Bytes of the complete records of every growing file, by name. After `flush` the files have them. */
  positions(): Record<string, number> {
    const files = [...this.#growing.entries()];
    return Object.fromEntries(files.map(([file, { position }]) => [this.#nameOf(file), position]));
  }

  /** Whether the run has written a file, or more of one that it goes on with. Files that others write are not counted. */
  get hasWritten(): boolean {
    const { resumeAt = {} } = this.#options;
    const hasGrown = ([name, position]: [string, number]) => position > (resumeAt[name] ?? 0);
    return this.#whole.size > 0 || Object.entries(this.positions()).some(hasGrown);
  }

  /**
   * Gives all records to the system, `durable` ones to the disk.
   * @throws CorpuscleError OUTPUT_FAILED
   */
  async flush(options: { readonly durable?: boolean } = {}): Promise<void> {
    await Promise.allSettled([...this.#growing.values()].map((file) => file.flush(options)));
    this.assertSound();
  }

  /**
   * Makes sure that every growing file takes more.
   * @throws CorpuscleError OUTPUT_FAILED when one does not.
   */
  assertSound(): void {
    if (this.#failures.length > 0) throw this.#failures[0]!;
  }

  /**
   * Finds out whether `name` can be written, by trying in its folder; leaves nothing behind.
   * @throws CorpuscleError UNWRITABLE
   */
  check(name: string): void {
    if (!this.writes) return;
    const file = this.resolve(name);
    refuseUnwritableTarget(file);
    const { file: target, isStream } = targetOf(file);
    if (isStream) return;
    let made: readonly string[] = [];
    try {
      made = makeFolders(target);
      const unique = randomBytes(6).toString('hex');
      const probe = path.join(path.dirname(target), `.corpuscle-${unique}.probe`);
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

  /**
   * Writes and closes every file. Each has its turn, whatever happens to the others.
   * @throws CorpuscleError OUTPUT_FAILED naming every file that is not complete; of several the cause has the error of each.
   */
  async close(): Promise<void> {
    this.#look();
    if (this.#watch) clearInterval(this.#watch);
    this.#watch = null;
    const closed = await Promise.allSettled(
      [...this.#growing.values()].map((file) => file.close()),
    );
    this.#lock?.release();
    this.#lock = null;
    this.#tellWaits();
    const failures = new Set<unknown>(this.#failures);
    for (const result of closed) if (result.status === 'rejected') failures.add(result.reason);
    const [first, ...more] = failures;
    if (first === undefined) return;
    if (more.length === 0) throw first;
    const texts = [...failures].map((error) => (error as Error).message);
    const cause = new AggregateError(failures);
    throw new CorpuscleError('OUTPUT_FAILED', texts.join('; '), { cause });
  }

  /** Files with absolute names may be elsewhere. */
  #lockFor(file: string): void {
    if (this.isInside(file)) this.lock();
  }

  /** Before it is written for the first time, what a killed run has left of it goes. */
  #claim(file: string): void {
    this.#lockFor(file);
    const target = targetOf(file).file;
    if (this.#lock && this.isInside(target) && !this.#whole.has(file)) removePartials(target);
  }

  #look(): void {
    const taken = this.#lock?.look();
    if (taken) this.#failures.push(taken);
    if (this.#lock && !existsSync(this.directory) && this.#growing.size === 0)
      this.#failures.push(
        new CorpuscleError('OUTPUT_FAILED', `${this.directory} has been removed or renamed`),
      );
    for (const file of this.#growing.values()) file.checkName();
  }

  #tellWaits(): void {
    for (const [file, { stalled, isWaitTold }] of this.#growing)
      if (stalled > WORTH_TELLING && !isWaitTold)
        this.#options.onNotice?.(
          `the run waited ${(stalled / 1000).toFixed(1)} s for the disk to take ${this.#nameOf(file)}`,
        );
  }

  /** A name as operators give it, for files in the folder. */
  #nameOf(file: string): string {
    const name = path.relative(this.directory, file);
    return name.startsWith('..') || path.isAbsolute(name) ? file : name;
  }

  /** What this run has written itself is replaced without ado. */
  #older(file: string): { older: 'keep' | 'replace'; onKept: (kept: string) => void } {
    const { older = 'keep', onNotice } = this.#options;
    return {
      older: this.#whole.has(file) ? 'replace' : older,
      onKept: (kept) =>
        onNotice?.(
          `${this.#nameOf(file)} was there: it is now ${path.basename(kept)} (--overwrite replaces it)`,
        ),
    };
  }
}
