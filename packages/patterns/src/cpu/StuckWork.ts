import { OPEN, piecesAt, Word } from './controlBlock.js';

/** For how long work has made no progress: no job begins or ends, and no thread completes a piece. */
export class StuckWork {
  readonly #control: Int32Array;
  readonly #threads: number;
  #last = '';
  #same = 0;

  constructor(control: Int32Array, threads: number) {
    this.#control = control;
    this.#threads = threads;
  }

  /** How many looks in a row have seen the same. */
  look(): number {
    const isWorking = this.isMainInside || (this.#read(Word.ACTIVE) & ~OPEN) > 0;
    const now = this.#state();
    this.#same = isWorking && now === this.#last ? this.#same + 1 : 0;
    this.#last = now;
    return this.#same;
  }

  /** Whether nothing has changed since the last look. */
  get isSame(): boolean {
    return this.#state() === this.#last;
  }

  /** Whether the main thread is in a kernel or a functor, and does not wait for others. */
  get isMainInside(): boolean {
    return this.#read(Word.MAIN) !== 0;
  }

  #state(): string {
    const words: number[] = [Word.GENERATION, Word.NEXT, Word.ACTIVE, Word.MAIN];
    for (let t = 0; t < this.#threads; t++) words.push(piecesAt(this.#threads, t));
    return words.map((word) => this.#read(word)).join();
  }

  #read(word: number): number {
    return Atomics.load(this.#control, word);
  }
}
