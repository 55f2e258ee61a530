import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameTarget, FrameWriter, Piece } from '../frames/FrameFormat.js';
import { GzipSink } from '../frames/GzipSink.js';
import { FormatThread } from '../text/FormatThread.js';
import { formatLammpsDump } from './formatLammpsDump.js';

/** Particles of a frame that is worth the way to another thread. */
const LARGE = 8192;
/** Frames that may be on their way; a writer waits for the first of more. */
const MOST = 3;

/**
 * Writes dumps of a run. Large frames become text in a thread of their own:
 *
 *   frame (a copy) ─▶ thread: text ─▶ file, in the order of the frames
 */
export class DumpWriter implements FrameWriter {
  readonly #columns: readonly string[];
  readonly #sink: ReturnType<FrameTarget['grow']>;
  readonly #gzip: GzipSink | null;
  #thread: FormatThread | null | undefined;
  /** Frames that are not in the file yet, the oldest first; each ends after the ones before. */
  readonly #underWay: Promise<void>[] = [];
  #failure: unknown = null;

  /** @param columns names of LAMMPS. */
  constructor(target: FrameTarget, columns: readonly string[]) {
    this.#columns = columns;
    const file = target.grow(target.file);
    this.#gzip = /\.gz$/i.test(target.file) ? new GzipSink(file) : null;
    this.#sink = this.#gzip ?? file;
  }

  /** The frame is given away: its arrays must not be used afterwards. */
  write(frame: ParticleFrame): void | Promise<void> {
    this.#assertSound();
    if (frame.count >= LARGE && this.#thread === undefined) this.#thread = FormatThread.open();
    const isFar = frame.count >= LARGE && this.#thread;
    if (isFar) this.#add(this.#thread!.format({ frame, columns: this.#columns }));
    else if (this.#underWay.length === 0)
      return this.#sink.add(formatLammpsDump(frame, this.#columns));
    else this.#add(Promise.resolve([...formatLammpsDump(frame, this.#columns)]));
    return this.#underWay.length > MOST ? this.#underWay[0] : undefined;
  }

  async save(): Promise<null> {
    await this.#settle();
    await this.#gzip?.endMember();
    return null;
  }

  async close(): Promise<void> {
    try {
      await this.#settle();
    } finally {
      await this.abandon();
    }
    await this.#sink.close();
  }

  async abandon(): Promise<void> {
    await this.#underWay.at(-1);
    await this.#thread?.close();
    this.#thread = null;
  }

  #add(pieces: Promise<readonly Piece[]>): void {
    const before = this.#underWay.at(-1);
    const done: Promise<void> = Promise.all([pieces, before])
      .then(([made]) => (this.#failure ? undefined : this.#sink.add(made)))
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.splice(this.#underWay.indexOf(done), 1));
    this.#underWay.push(done);
  }

  async #settle(): Promise<void> {
    await this.#underWay.at(-1);
    this.#assertSound();
  }

  #assertSound(): void {
    if (this.#failure) throw this.#failure;
  }
}
