import type { FrameTarget, Piece } from '../frames/FrameFormat.js';
import { GzipSink } from '../frames/GzipSink.js';
import { type FormatRequest, FormatThread } from './FormatThread.js';
import { formatFrameText } from './formatFrameText.js';

/** Particles of a frame that is worth the way to another thread. */
const LARGE = 8192;
/** Frames that may be on their way; a writer waits for the first of more. */
const MOST = 3;

/**
 * Writes texts of a run. Large frames become text in a thread of their own:
 *
 *   frame (a copy) ─▶ thread: text ─▶ file, in the order of the frames
 */
export class TextFrameWriter {
  readonly #sink: ReturnType<FrameTarget['grow']>;
  readonly #gzip: GzipSink | null;
  #thread: FormatThread | null | undefined;
  /** Frames that are not in the file yet, the oldest first; each ends after the ones before. */
  readonly #underWay: Promise<void>[] = [];
  #failure: unknown = null;

  /** @param options.plain never compresses; otherwise names do that end in `.gz`. */
  constructor(target: FrameTarget, { plain = false }: { readonly plain?: boolean } = {}) {
    const file = target.grow(target.file);
    this.#gzip = !plain && /\.gz$/i.test(target.file) ? new GzipSink(file) : null;
    this.#sink = this.#gzip ?? file;
  }

  /** The frame is given away: its arrays must not be used afterwards. */
  write(request: FormatRequest): void | Promise<void> {
    this.#assertSound();
    const isLarge = request.frame.count >= LARGE;
    if (isLarge && this.#thread === undefined) this.#thread = FormatThread.open();
    if (isLarge && this.#thread) this.#add(this.#thread.format(request));
    else if (this.#underWay.length === 0) return this.#sink.add(formatFrameText(request));
    else this.#add(Promise.resolve([...formatFrameText(request)]));
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
