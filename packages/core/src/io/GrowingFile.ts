import { CorpuscleError } from '@corpuscle/functor/error';
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  host,
  openSync,
  path,
  statSync,
} from '#core/platform';
import type { Timer } from '../platform/Host.js';
import { cutAt, type PartialWrite, sync, writeAll, writeAllNow } from './chunkWrites.js';
import { makeFolders } from './folders.js';
import { keepOlder } from './olderFiles.js';
import { outputFailed, refuseUnwritableTarget, targetOf, unwritable } from './outputErrors.js';
import { syncFolder } from './syncFolder.js';
import { type Chunk, WriteQueue } from './WriteQueue.js';

/** Milliseconds for which a record may wait for others to be written together. */
const GATHER = 200;
/** Bytes that are written without waiting for more. */
const BATCH = 1 << 16;
/** Bytes of a record that is not complete which may wait in memory. */
const OPEN_RECORD = 1 << 22;
/** Bytes that may wait in all; beyond that the writer waits for the disk. */
const QUEUE = 1 << 24;
/** Milliseconds after which written bytes are made to survive a power cut. */
const SYNC = 30_000;

/** How a growing file begins. */
export interface GrowingFileOptions {
  /** What happens to an older file of the name: `keep` (default) gives it a numbered name, `replace` forgets it. */
  readonly older?: 'keep' | 'replace';
  /** Goes on with the present file after so many bytes; what comes after them is cut off. */
  readonly resumeAt?: number | undefined;
  /** Told before the file is made, in a folder that is there. */
  readonly onOpen?: () => void;
  /** Told the numbered name of an older file. */
  readonly onKept?: (kept: string) => void;
  /** Told once when the file takes no more. */
  readonly onFailure?: (error: CorpuscleError) => void;
}

/**
 * A file that grows under its own name: tables, trajectories, lines of JSON. It takes complete records (lines, frames) and
 * writes them in order without making the caller wait: gathered for at most a fifth of a second, in one write each time. A kill
 * finds every record that is older than that on the disk. A file that cannot be written is cut after its last complete record.
 * The file and missing folders are made when the first record comes: a run that fails before leaves nothing.
 *
 *   write ─▶ queue ─▶ one write under way ─▶ system ─ fsync every 30 s ─▶ disk
 *
 * @example
 * const file = new GrowingFile('thermo.csv');
 * if (file.position === 0) file.write('step,time\n');
 * file.write('0,0\n');
 * await file.close();
 */
export class GrowingFile {
  readonly path: string;
  readonly #target: string;
  readonly #isStream: boolean;
  readonly #options: GrowingFileOptions;
  /** Null until the first record. */
  #descriptor: number | null = null;
  #isClosed = false;
  readonly #queue: WriteQueue;
  #underWay: { readonly chunk: Chunk; readonly done: Promise<void> } | null = null;
  #failure: CorpuscleError | null = null;
  #timer: Timer | null = null;
  #lastWrite = Number.NEGATIVE_INFINITY;
  #lastSync = performance.now();
  #syncing: Promise<void> | null = null;
  #isNameSynced = false;
  /** Bytes to replace, by position, and the position up to which the file must be written before. */
  readonly #patches = new Map<number, { readonly bytes: Uint8Array; readonly after: number }>();
  /** Who is told when the file is written up to a position. */
  #waiting: { readonly after: number; readonly onWritten: () => void }[] = [];
  /** Milliseconds for which writers have waited for the disk. */
  stalled = 0;
  /** Whether its writer tells itself how long it has waited. */
  isWaitTold = false;

  /** @throws CorpuscleError UNWRITABLE; FILE_FORMAT when the file to resume is too short. */
  constructor(file: string, options: GrowingFileOptions = {}) {
    this.path = path.resolve(file);
    this.#options = options;
    refuseUnwritableTarget(this.path);
    const { target, isStream } = targetOf(this.path);
    this.#target = target;
    this.#isStream = isStream;
    const resumeAt = isStream ? undefined : options.resumeAt;
    this.#queue = new WriteQueue(resumeAt ?? 0);
    if (resumeAt !== undefined) this.#open(resumeAt);
  }

  get isOpen(): boolean {
    return !this.#isClosed;
  }

  /** Bytes of the complete records given so far; after `flush` the file has them. 0 for a file that is new. */
  get position(): number {
    return this.#queue.complete;
  }

  /** Why the file takes no more; null while it does. */
  get failure(): CorpuscleError | null {
    return this.#failure;
  }

  /**
   * Adds a complete record: a line, several lines, or a frame. The bytes must not change before `onWritten` is called, which may
   * never be: when a file fails or ends.
   * @throws CorpuscleError OUTPUT_FAILED when an earlier write has failed; CLOSED.
   */
  write(record: string | Uint8Array, onWritten?: () => void): void {
    this.#assertSound();
    if (record.length === 0) return;
    if (this.#descriptor === null) this.#open();
    this.#queue.add(record);
    this.#afterRecord(onWritten);
  }

  /**
   * Adds a complete record that comes in pieces, such as a large frame, in bounded memory: it waits for the disk where needed.
   * Where making the pieces fails, none of them stays.
   */
  async writePieces(pieces: Iterable<string | Uint8Array>, onWritten?: () => void): Promise<void> {
    this.#assertSound();
    if (this.#descriptor === null) this.#open();
    try {
      for (const piece of pieces) {
        this.#queue.add(piece);
        if (this.#queue.size < OPEN_RECORD) continue;
        const begin = performance.now();
        await this.#underWay?.done;
        this.stalled += performance.now() - begin;
        this.#begin('all');
        this.#assertSound();
      }
    } catch (error) {
      await this.#underWay?.done;
      this.#queue.dropOpen();
      if (!this.#isStream && !this.#failure && this.#descriptor !== null)
        ftruncateSync(this.#descriptor, this.#queue.begin);
      throw error;
    }
    this.#afterRecord(onWritten);
  }

  /**
   * Replaces bytes of earlier records, such as a number of frames in a head, once all records up to now are in the file: an
   * index never names what is not there.
   */
  patch(position: number, bytes: Uint8Array): void {
    this.#assertSound();
    if (this.#isStream) return;
    this.#patches.set(position, { bytes, after: this.#queue.complete });
    if (!this.#underWay) this.#applyPatches();
  }

  /**
   * Gives all complete records to the system; `durable` also to the disk, where they survive a power cut.
   * @throws CorpuscleError OUTPUT_FAILED
   */
  async flush({ durable = false }: { readonly durable?: boolean } = {}): Promise<void> {
    do {
      this.#begin('complete');
      await this.#underWay?.done;
    } while (!this.#failure && (this.#underWay || this.#queue.hasComplete));
    if (durable && !this.#failure) await this.#sync();
    if (this.#failure) throw this.#failure;
  }

  /** Writes what waits at once, when a process ends. Errors are not told, because the process ends. */
  flushNow(): void {
    if (this.#descriptor === null || this.#failure) return;
    if (this.#underWay && this.#isStream) return;
    // What is under way may not be finished by a process that ends; the same bytes at the same place do no harm.
    if (this.#underWay) this.#writeNow(this.#underWay.chunk);
    const chunk = this.#queue.take('complete');
    if (chunk && !this.#failure) this.#writeNow(chunk);
    this.#applyPatches();
  }

  /**
   * Writes everything, to the disk, and closes the file. It is closed after a failure too.
   * @throws CorpuscleError OUTPUT_FAILED
   */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    try {
      await this.flush({ durable: true });
    } finally {
      await this.#underWay?.done;
      await this.#syncing;
      this.#disarm();
      if (this.#descriptor !== null) closeSync(this.#descriptor);
      this.#descriptor = null;
      openFiles.delete(this);
    }
  }

  /** Notices that the file has been removed or renamed, so that what is written has no name any more. */
  checkName(): void {
    if (this.#descriptor === null || this.#isStream || this.#failure) return;
    const named = statSync(this.#target, { throwIfNoEntry: false });
    const { ino, dev } = fstatSync(this.#descriptor);
    if (named?.ino === ino && named.dev === dev) return;
    this.#fail(
      new CorpuscleError(
        'OUTPUT_FAILED',
        `cannot go on writing ${this.path}: it has been removed or renamed while the run writes to it`,
      ),
    );
  }

  #open(resumeAt?: number): void {
    try {
      makeFolders(this.#target);
      this.#options.onOpen?.();
      if (resumeAt === undefined && !this.#isStream && this.#options.older !== 'replace') {
        const kept = keepOlder(this.#target, 'move');
        if (kept !== null) this.#options.onKept?.(kept);
      }
      this.#descriptor = openSync(this.#target, resumeAt === undefined ? 'w' : 'r+');
      if (resumeAt !== undefined) cutAt(this.path, this.#descriptor, resumeAt);
    } catch (cause) {
      throw cause instanceof CorpuscleError ? cause : unwritable(this.path, cause);
    }
    flushAtExit(this);
  }

  #afterRecord(onWritten?: () => void): void {
    this.#queue.endRecord();
    if (onWritten) this.#waiting.push({ after: this.#queue.complete, onWritten });
    if (this.#queue.size >= BATCH || performance.now() - this.#lastWrite >= GATHER)
      this.#begin('complete');
    else this.#arm();
    if (this.#queue.size < QUEUE) return;
    const begin = performance.now();
    this.flushNow();
    this.stalled += performance.now() - begin;
    this.#assertSound();
  }

  /** Begins a write of what waits, unless one is under way or nothing waits. */
  #begin(what: 'complete' | 'all'): void {
    if (this.#underWay || this.#failure || this.#descriptor === null) return;
    const chunk = this.#queue.take(what);
    if (!chunk) return;
    this.#lastWrite = performance.now();
    const done = writeAll(this.#descriptor, chunk, this.#isStream).then(
      () => this.#written(),
      (error: PartialWrite) => {
        this.#underWay = null;
        this.#fail(outputFailed(this.path, error.cause), chunk, error.count);
      },
    );
    this.#underWay = { chunk, done };
  }

  #written(): void {
    this.#underWay = null;
    this.#applyPatches();
    this.#tellWritten();
    if (performance.now() - this.#lastSync >= SYNC) void this.#sync();
    if (this.#queue.size >= BATCH) this.#begin('complete');
    else if (this.#queue.size > 0) this.#arm();
  }

  #writeNow(chunk: Chunk): void {
    try {
      writeAllNow(this.#descriptor!, chunk, this.#isStream);
    } catch (error) {
      const { cause, count } = error as PartialWrite;
      this.#fail(outputFailed(this.path, cause), chunk, count);
    }
  }

  /** Nothing is under way. */
  #tellWritten(): void {
    const isWritten = ({ after }: { readonly after: number }) => after <= this.#queue.begin;
    const told = this.#waiting.filter(isWritten);
    this.#waiting = this.#waiting.filter((one) => !isWritten(one));
    for (const { onWritten } of told) onWritten();
  }

  /** Some bytes each: not worth a write of their own thread. Nothing is under way. */
  #applyPatches(): void {
    for (const [position, { bytes, after }] of this.#patches) {
      if (this.#failure) return;
      if (after > this.#queue.begin) continue;
      this.#patches.delete(position);
      const lastEnd = this.#queue.begin;
      this.#writeNow({ pieces: [bytes], size: bytes.length, at: position, ends: [], lastEnd });
    }
  }

  /** One sync at a time; calls made meanwhile wait for another one, which covers what was written since. */
  async #sync(): Promise<void> {
    await this.#syncing;
    if (this.#descriptor === null || this.#isStream) return;
    this.#lastSync = performance.now();
    const syncing = sync(this.#descriptor)
      .then(async () => {
        if (!this.#isNameSynced) await syncFolder(path.dirname(this.#target));
        this.#isNameSynced = true;
      })
      .catch((cause: unknown) => this.#fail(outputFailed(this.path, cause)))
      .finally(() => {
        if (this.#syncing === syncing) this.#syncing = null;
      });
    this.#syncing = syncing;
    await syncing;
  }

  /** The file takes no more; of a chunk of which `count` bytes were written only complete records stay. */
  #fail(error: CorpuscleError, chunk?: Chunk, count = 0): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#disarm();
    if (chunk && !this.#isStream && this.#descriptor !== null) {
      const end = chunk.ends.findLast((at) => at <= chunk.at + count) ?? chunk.lastEnd;
      try {
        ftruncateSync(this.#descriptor, end);
      } catch {
        // A disk that fails leaves a torn record: readers skip it.
      }
    }
    this.#options.onFailure?.(error);
  }

  #arm(): void {
    this.#timer ??= host.release(
      setTimeout(() => {
        this.#timer = null;
        this.#begin('complete');
        if (this.#queue.size > 0 && this.#underWay) this.#arm();
      }, GATHER),
    );
  }

  #disarm(): void {
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #assertSound(): void {
    if (this.#failure) throw this.#failure;
    if (this.#isClosed)
      throw new CorpuscleError('CLOSED', `${this.path} has been closed: write before the run ends`);
  }
}

const openFiles = new Set<GrowingFile>();
let isWatchingExit = false;

/** A process that ends without closing its files, by `process.exit` or an exception, writes what waits. */
function flushAtExit(file: GrowingFile): void {
  openFiles.add(file);
  if (isWatchingExit) return;
  isWatchingExit = true;
  host.onExit(() => {
    for (const open of openFiles) open.flushNow();
  });
}
