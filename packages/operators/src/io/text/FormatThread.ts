import type { WriteFrame } from '../extended_xyz/formatExtendedXyz.js';
import type { ParticleFrame } from '../extended_xyz/ParticleFrame.js';
import { buffersOf } from '../thread/buffersOf.js';
import { WorkThread } from '../thread/WorkThread.js';

/** Main thread → worker: a frame that becomes text. */
export type FormatRequest =
  | {
      readonly format: 'lammps_dump';
      readonly frame: ParticleFrame;
      readonly columns: readonly string[];
    }
  | { readonly format: 'extended_xyz'; readonly frame: WriteFrame };

/** A thread that makes texts of frames, one after the other. It keeps the process alive while it has work. */
export class FormatThread {
  readonly #thread: WorkThread<FormatRequest, readonly Uint8Array[]>;

  /** @returns null where the package has not been built: sources run as they are. */
  static open(): FormatThread | null {
    const thread = WorkThread.open<FormatRequest, readonly Uint8Array[]>(
      'formatWorker.cjs',
      'writes frames',
    );
    return thread && new FormatThread(thread);
  }

  private constructor(thread: WorkThread<FormatRequest, readonly Uint8Array[]>) {
    this.#thread = thread;
  }

  /** The text of a frame in pieces. The arrays of the frame are given away: they are empty afterwards. */
  format(request: FormatRequest): Promise<readonly Uint8Array[]> {
    return this.#thread.ask(request, buffersOf(request.frame));
  }

  /** Ends the thread; what it has not done is refused. */
  async close(): Promise<void> {
    await this.#thread.close();
  }
}
