/** An origin that a frame is compared with. */
export interface OpenOrigin {
  /** Which of the stored origins. */
  readonly slot: number;
  /** Frames since. */
  readonly lag: number;
}

/**
 * When origins begin and end. With 3 origins and curves of 6 frames:
 *
 *   frame    0  1  2  3  4  5  6  7  8  9
 *   slot 0   0  1  2  3  4  5  6 ‖
 *   slot 1         0  1  2  3  4  5  6 ‖
 *   slot 2               0  1  2  3  4  5         a slot is taken again when its curve is complete
 *
 * Without a length the first origins are kept for good.
 */
export class OriginSchedule {
  readonly origins: number;
  /** The longest lag; Infinity for curves without end. */
  readonly lags: number;
  readonly #spacing: number;
  /** The frame at which each slot began, −1 before. */
  readonly #begun: number[];
  #frames = 0;

  constructor(origins: number, lags: number) {
    this.origins = origins;
    this.lags = lags;
    this.#spacing = Number.isFinite(lags) ? Math.ceil((lags + 1) / origins) : 1;
    this.#begun = new Array<number>(origins).fill(-1);
  }

  /** The next frame: the slot that begins with it, if one does, and all that are open. */
  next(): { readonly begins: number | null; readonly open: readonly OpenOrigin[] } {
    const frame = this.#frames++;
    const turn = Math.floor(frame / this.#spacing);
    const isDue =
      frame % this.#spacing === 0 && (Number.isFinite(this.lags) || turn < this.origins);
    const begins = isDue ? turn % this.origins : null;
    if (begins !== null) this.#begun[begins] = frame;
    const open = this.#begun
      .map((begun, slot) => ({ slot, lag: begun < 0 ? -1 : frame - begun }))
      .filter(({ lag }) => lag >= 0 && lag <= this.lags);
    return { begins, open };
  }

  save(): { readonly frames: number; readonly begun: readonly number[] } {
    return { frames: this.#frames, begun: [...this.#begun] };
  }

  restore({ frames, begun }: { readonly frames: number; readonly begun: readonly number[] }): void {
    this.#frames = frames;
    begun.forEach((frame, slot) => {
      this.#begun[slot] = frame;
    });
  }
}
