import type { Grid } from '@corpuscle/core';
import { FrameGrid, readQuantized } from '@corpuscle/operators';
import type { ExecutionContext } from '@corpuscle/patterns';

/** The particles of a run elsewhere, frame after frame. */
export class Streamed {
  /** Of the last frame. */
  step = 0;
  readonly #context: ExecutionContext;
  readonly #frames: FrameGrid;

  constructor(context: ExecutionContext) {
    this.#context = context;
    this.#frames = new FrameGrid(context);
  }

  isOf(context: ExecutionContext): boolean {
    return context === this.#context;
  }

  /** The particles of a frame. @throws CorpuscleError FILE_FORMAT */
  take(bytes: Uint8Array): Grid {
    const frame = readQuantized(bytes);
    this.step = frame.step ?? 0;
    return this.#frames.of(frame);
  }
}
