import {
  accessSync,
  closeSync,
  constants,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { CorpuscleError } from '@corpuscle/functor/error';

const BUFFER = 1 << 16;
let serial = 0;
/** Files being written; a process that exits in the middle of a run leaves none of them behind. */
const unfinished = new Set<AtomicFile>();
let isWatchingExit = false;

/**
 * A file that appears under its name only when complete: it is written to a hidden neighbor and renamed by `commit`.
 * Until then an older file of that name stays as it was; `discard` leaves no trace. A link stays a link to the new file;
 * a device or a pipe, such as /dev/stdout, is written to directly.
 */
export class AtomicFile {
  readonly path: string;
  /** Where the bytes go until `commit`; null for devices and pipes, which get them at once. */
  readonly #temporary: string | null;
  readonly #target: string;
  #descriptor: number | null;
  #pending: string[] = [];
  #pendingLength = 0;

  /** @throws CorpuscleError UNWRITABLE when the folder or the file cannot be written. */
  constructor(file: string) {
    this.path = path.resolve(file);
    refuseUnwritableTarget(this.path);
    const { target, isStream } = targetOf(this.path);
    this.#target = target;
    const name = `.${path.basename(target)}.${process.pid}-${++serial}.partial`;
    this.#temporary = isStream ? null : path.join(path.dirname(target), name);
    try {
      this.#descriptor = isStream ? openSync(target, 'w') : openSync(this.#temporary!, 'wx');
    } catch (cause) {
      throw unwritable(this.path, cause);
    }
    unfinished.add(this);
    if (isWatchingExit) return;
    isWatchingExit = true;
    process.on('exit', () => {
      for (const open of unfinished) open.discard();
    });
  }

  get isOpen(): boolean {
    return this.#descriptor !== null;
  }

  /** Appends text; small pieces are gathered before they go to the disk. */
  write(text: string): void {
    this.#assertOpen();
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= BUFFER) this.#flush();
  }

  /** Appends bytes. */
  writeBytes(bytes: Uint8Array): void {
    this.#flush();
    let offset = 0;
    while (offset < bytes.length) {
      offset += this.#attempt(() => writeSync(this.#assertOpen(), bytes, offset));
    }
  }

  /** Gives the file its name, replacing an older one in a single step. */
  commit(): void {
    this.#flush();
    this.#close();
    if (this.#temporary === null) return;
    try {
      renameSync(this.#temporary, this.#target);
    } catch (cause) {
      rmSync(this.#temporary, { force: true });
      throw unwritable(this.path, cause);
    }
  }

  /** Forgets everything written. Does nothing after `commit`. */
  discard(): void {
    if (this.#descriptor === null) return;
    this.#pending = [];
    this.#close();
    if (this.#temporary !== null) rmSync(this.#temporary, { force: true });
  }

  #flush(): void {
    if (this.#pending.length === 0) return;
    const bytes = Buffer.from(this.#pending.join(''), 'utf8');
    this.#pending = [];
    this.#pendingLength = 0;
    this.writeBytes(bytes);
  }

  #close(): void {
    closeSync(this.#assertOpen());
    this.#descriptor = null;
    unfinished.delete(this);
  }

  #assertOpen(): number {
    if (this.#descriptor !== null) return this.#descriptor;
    throw new CorpuscleError('CLOSED', `${this.path} has been closed: write before the run ends`);
  }

  #attempt<T>(action: () => T): T {
    try {
      return action();
    } catch (cause) {
      throw cause instanceof CorpuscleError ? cause : unwritable(this.path, cause);
    }
  }
}

/** @throws CorpuscleError UNWRITABLE when `file` is a folder or may not be replaced. */
export function refuseUnwritableTarget(file: string): void {
  const stats = statsOf(file);
  if (!stats) return;
  if (stats.isDirectory()) {
    throw new CorpuscleError(
      'UNWRITABLE',
      `cannot write ${file}: it is a folder, choose another name`,
    );
  }
  try {
    accessSync(file, constants.W_OK);
  } catch (cause) {
    throw unwritable(file, cause);
  }
}

/** The file behind links, and whether it is something that a rename would destroy. */
export function targetOf(file: string): { target: string; isStream: boolean } {
  const stats = statsOf(file);
  if (!stats) return { target: file, isStream: false };
  return stats.isFile()
    ? { target: realpathSync(file), isStream: false }
    : { target: file, isStream: true };
}

function statsOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (cause) {
    throw unwritable(file, cause); // a part of the path is a file
  }
}

export function unwritable(file: string, cause: unknown): CorpuscleError {
  const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''] ?? String(cause);
  return new CorpuscleError(
    'UNWRITABLE',
    `cannot write ${file}: ${reason}, choose another place with --output`,
    { cause },
  );
}

const REASONS: Record<string, string> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EEXIST: 'a part of its path is a file, not a folder',
  ENOENT: 'the folder cannot be made',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'the name is too long',
};
