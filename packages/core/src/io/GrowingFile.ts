import { CorpuscleError } from '@corpuscle/functor/error';
import { closeSync, fstatSync, ftruncateSync, host, path, statSync } from '#core/platform';
import type { Timer } from '../platform/Host.js';
import { cutTorn, type PartialWrite, writeAll, writeAllNow } from './chunkWrites.js';
import { DiskSync } from './DiskSync.js';
import { EndingSet } from './EndingSet.js';
import { type OlderFileOptions, openGrowing } from './openGrowing.js';
import {
  nameLost,
  outputFailed,
  refuseUnwritableTarget,
  type Target,
  targetOf,
} from './outputErrors.js';
import { type Chunk, WriteQueue } from './WriteQueue.js';

/** Milliseconds for which a record may wait for others to be written together. */
const GATHER = 200;
/** Bytes that are written without waiting for more. */
const BATCH = 1 << 16;
/** Bytes of a record that is not complete which may wait in memory. */
const OPEN_RECORD = 1 << 22;
/** Bytes that may wait in all; beyond that the writer waits for the disk. */
const QUEUE = 1 << 24;

/** How a growing file begins, and whom it tells. */
export interface GrowingFileOptions extends OlderFileOptions {
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
  readonly #target: Target;
  readonly #options: GrowingFileOptions;
  /** Null until the first record. */
  #descriptor: number | null = null;
  #isClosed = false;
  readonly #queue: WriteQueue;
  #underWay: { readonly chunk: Chunk; readonly done: Promise<void> } | null = null;
  #failure: CorpuscleError | null = null;
  #timer: Timer | null = null;
  #lastWrite = Number.NEGATIVE_INFINITY;
  /** Null until the file is open, and for a stream. */
  #disk: DiskSync | null = null;
  /** Bytes to replace, by position, and the position up to which the file must be written before. */
  readonly #patches = new Map<number, { readonly bytes: Uint8Array; readonly after: number }>();
  /** Functions that are called when the file is written up to a position, in order. */
  readonly #waiting: { readonly after: number; readonly onWritten: () => void }[] = [];
  /** Milliseconds for which writers have waited for the disk. */
  stalled = 0;
  /** Whether its writer tells itself how long it has waited. */
  isWaitTold = false;

  /** @throws CorpuscleError UNWRITABLE; FILE_FORMAT when the file to resume is too short. */
  constructor(file: string, options: GrowingFileOptions = {}) {
    this.path = path.resolve(file);
    this.#options = options;
    refuseUnwritableTarget(this.path);
    this.#target = targetOf(this.path);
    const resumeAt = this.#target.isStream ? undefined : options.resumeAt;
    this.#queue = new WriteQueue(resumeAt ?? 0);
    if (resumeAt !== undefined) this.#open();
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
      if (!this.#target.isStream && !this.#failure && this.#descriptor !== null)
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
    if (this.#target.isStream) return;
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
    if (durable && !this.#failure) await this.#disk?.run();
    if (this.#failure) throw this.#failure;
  }

  /** Writes what waits at once, when a process ends. Errors are not told, because the process ends. */
  flushNow(): void {
    if (this.#descriptor === null || this.#failure) return;
    if (this.#underWay && this.#target.isStream) return;
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
      await this.#disk?.close();
      this.#disarm();
      if (this.#descriptor !== null) closeSync(this.#descriptor);
      this.#descriptor = null;
      openFiles.delete(this);
    }
  }

  /** Notices that the file has been removed or renamed, so that what is written has no name any more. */
  checkName(): void {
    if (this.#descriptor === null || this.#target.isStream || this.#failure) return;
    const named = statSync(this.#target.file, { throwIfNoEntry: false });
    const { ino, dev } = fstatSync(this.#descriptor);
    if (named?.ino !== ino || named.dev !== dev) this.#fail(nameLost(this.path));
  }

  #open(): void {
    const descriptor = openGrowing(this.path, this.#target, this.#options);
    this.#descriptor = descriptor;
    const onFailure = (cause: unknown) => this.#fail(outputFailed(this.path, cause));
    if (!this.#target.isStream) this.#disk = new DiskSync(descriptor, this.#target.file, onFailure);
    openFiles.add(this);
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
    const done = writeAll(this.#descriptor, chunk, this.#target.isStream).then(
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
    const { begin } = this.#queue; // those who are told may write more
    while (this.#waiting.length > 0 && this.#waiting[0]!.after <= begin)
      this.#waiting.shift()!.onWritten();
    if (this.#disk?.isDue) void this.#disk.run();
    if (this.#queue.size >= BATCH) this.#begin('complete');
    else if (this.#queue.size > 0) this.#arm();
  }

  #writeNow(chunk: Chunk): void {
    try {
      writeAllNow(this.#descriptor!, chunk, this.#target.isStream);
    } catch (error) {
      const { cause, count } = error as PartialWrite;
      this.#fail(outputFailed(this.path, cause), chunk, count);
    }
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

  /** The file takes no more; of a chunk of which `count` bytes were written only complete records stay. */
  #fail(error: CorpuscleError, chunk?: Chunk, count = 0): void {
    if (this.#failure) return;
    this.#failure = error;
    this.#disarm();
    if (chunk && !this.#target.isStream && this.#descriptor !== null)
      cutTorn(this.#descriptor, chunk, count);
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

/** Files write what waits when the process ends without closing them. */
const openFiles = new EndingSet<GrowingFile>((file) => file.flushNow());
