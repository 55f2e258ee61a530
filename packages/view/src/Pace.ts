import { type PaceTimes, stepsBetween } from './stepsBetween.js';

/** Pictures that the device may still have to do while the run goes on. */
const WAITING = 2;
/** How much what has been measured counts against the next picture. */
const MEMORY = 0.9;

/** What a pace is made with. */
export interface PaceOptions {
  /** Pictures a second at least, where steps and pictures allow it. Default 60. */
  readonly rate?: number;
  /** Part of the device that pictures take at most; slow ones come less often. Default 0.5. */
  readonly share?: number;
}

/** A picture that the device has been asked for. */
export interface AskedPicture {
  /** Resolves when the device has done what was asked before. */
  readonly before: Promise<void>;
  /** Resolves when it has done the picture too. */
  readonly done: Promise<void>;
}

/**
 * Decides how many steps of a run lie between two pictures, from the times that a device takes for both. A run that is drawn so
 * is never more than a few pictures ahead of its device.
 *
 *   steps │ picture │ steps │ picture │ …        stepsBetween says how many steps
 *
 * @example
 * const pace = new Pace({ rate: 60 });
 * for (;;) {
 *   await step.run();
 *   await pace.atStep(async () => {
 *     const before = view.done();
 *     view.draw();
 *     return { before, done: view.done() };
 *   });
 * }
 */
export class Pace {
  readonly #asked: Pick<PaceTimes, 'rate' | 'share'>;
  readonly #waiting: Promise<void>[] = [];
  #steps = 1;
  #made = 0;
  /** When the last picture was done. */
  #last: number | null = null;
  /** Sums over what has been measured, in which older numbers count less: times in milliseconds. */
  readonly #sums = { steps: 0, stepTime: 0, pictures: 0, pictureTime: 0 };

  constructor({ rate = 60, share = 0.5 }: PaceOptions = {}) {
    this.#asked = { rate, share };
  }

  /** Steps from one picture to the next. */
  get steps(): number {
    return this.#steps;
  }

  /**
   * Called after each step.
   * @param picture asks for a picture; null where none is wanted.
   * @returns a promise where the run waits: for a picture that is due, and for the device.
   */
  atStep(picture: () => Promise<AskedPicture | null>): Promise<void> | undefined {
    if (++this.#made < this.#steps) return undefined;
    const made = this.#made;
    this.#made = 0;
    return this.#next(made, picture);
  }

  async #next(made: number, picture: () => Promise<AskedPicture | null>): Promise<void> {
    const asked = await picture();
    if (!asked) return;
    // A device that fails is told of where the run awaits it.
    asked.done.catch(() => {});
    this.#waiting.push(this.#measure(made, asked).catch(() => {}));
    if (this.#waiting.length > WAITING) await this.#waiting.shift();
  }

  async #measure(made: number, { before, done }: AskedPicture): Promise<void> {
    await before;
    const begun = performance.now();
    await done;
    const end = performance.now();
    const last = this.#last;
    this.#last = end;
    if (last === null) return;
    const sums = this.#sums;
    for (const name of ['steps', 'stepTime', 'pictures', 'pictureTime'] as const)
      sums[name] *= MEMORY;
    sums.steps += made;
    sums.stepTime += begun - last;
    sums.pictures++;
    sums.pictureTime += end - begun;
    const [step, picture] = [sums.stepTime / sums.steps, sums.pictureTime / sums.pictures];
    this.#steps = Math.min(2 * this.#steps, stepsBetween({ step, picture, ...this.#asked }));
  }
}
