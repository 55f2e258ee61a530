import { openH5mdLink } from '#operators/platform';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import type { FrameTarget, FrameWriter } from '../frames/FrameFormat.js';
import { buffersOf } from '../thread/buffersOf.js';
import type { H5mdOptions } from './H5mdAppender.js';
import type { H5mdLink } from './h5mdLink.js';

/** Frames that may be on their way; a writer waits for the first of more. */
const MOST = 3;

/** How frames are taken. */
export interface H5mdWriterOptions extends Partial<H5mdOptions> {
  /** Frames are given away: their arrays are not used afterwards, and need no copy. */
  readonly isGiven?: boolean;
}

/** Writes H5MD files in a thread of their own. A frame is in its file soon after it was given. */
export function h5mdWriter(target: FrameTarget, options: H5mdWriterOptions = {}): FrameWriter {
  const writer = new H5mdWriter(target, options);
  return {
    write: (frame) => writer.write(frame),
    save: () => writer.save(),
    restore: (saved) => writer.restore((saved as { readonly frames: number }).frames),
    close: () => writer.close(),
    abandon: () => writer.abandon(),
  };
}

class H5mdWriter {
  readonly #target: FrameTarget;
  readonly #options: H5mdWriterOptions;
  #link: H5mdLink | null = null;
  #frames = 0;
  /** Frames that are not in the file yet, the oldest first. */
  readonly #underWay: Promise<void>[] = [];
  #failure: unknown = null;

  constructor(target: FrameTarget, options: H5mdWriterOptions) {
    this.#target = target;
    this.#options = options;
  }

  write(frame: ParticleFrame): void | Promise<void> {
    this.#assertSound();
    this.#open();
    this.#frames++;
    this.#add(
      this.#link!.ask({ ask: 'add', frame }, this.#options.isGiven ? buffersOf(frame) : []),
    );
    return this.#underWay.length > MOST ? this.#underWay[0] : undefined;
  }

  async save(): Promise<{ frames: number }> {
    if (this.#link) this.#add(this.#link.ask({ ask: 'settle' }));
    await this.#settle();
    return { frames: this.#frames };
  }

  restore(frames: number): void {
    if (frames === 0) return;
    this.#frames = frames;
    this.#open();
    this.#add(this.#link!.ask({ ask: 'goOn', frames }));
  }

  async close(): Promise<void> {
    try {
      await this.save();
    } finally {
      await this.abandon();
    }
  }

  async abandon(): Promise<void> {
    const link = this.#link;
    this.#link = null;
    if (!link) return;
    this.#add(link.ask({ ask: 'close' }));
    await this.#underWay.at(-1);
    await link.close();
  }

  /** The file, at the first frame: a run that fails before leaves an older one as it is. */
  #open(): void {
    if (this.#link) return;
    const file = this.#target.claim(this.#target.file, { goesOn: this.#frames > 0 });
    this.#link = openH5mdLink();
    const { precision = 'double' } = this.#options;
    this.#add(this.#link.ask({ ask: 'write', file, options: { precision } }));
  }

  #add(answer: Promise<unknown>): void {
    const done: Promise<void> = answer
      .then(() => undefined)
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
