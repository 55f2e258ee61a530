import { piecesAt, Word } from './controlBlock.js';

/** Main thread → watching thread: the name of an operator or a functor, by its number. */
export interface NameMessage {
  readonly kind: 'name';
  readonly id: number;
  readonly name: string;
}

/** What the main thread lets the watching thread know of its own work, so that work without end has a name. */
export class MainWork {
  /** The names there are, in order. */
  readonly messages: NameMessage[] = [];
  readonly #control: Int32Array;
  readonly #pieces: number;
  readonly #announce: (message: NameMessage) => void;
  #operator = '';
  readonly #ids = new Map<string, number>();

  constructor(control: Int32Array, threads: number, announce: (message: NameMessage) => void) {
    this.#control = control;
    this.#pieces = piecesAt(threads, 0);
    this.#announce = announce;
  }

  /** Calls that follow are made by this operator; an empty name for none. */
  enterOperator(name: string): void {
    this.#operator = name;
    this.#control[Word.OPERATOR] = name === '' ? 0 : this.#idOf(name) + 1;
  }

  /** The operator that makes the present calls; empty for none. */
  get operator(): string {
    return this.#operator;
  }

  /** Runs work that these operators have put off. */
  onBehalfOf(operators: ReadonlySet<string>, run: () => void): void {
    const present = this.#operator;
    this.enterOperator([...operators].filter((name) => name !== '').join(', '));
    try {
      run();
    } finally {
      this.enterOperator(present);
    }
  }

  /** Runs what calls a functor as it stands, and calls `piece` after each call. */
  directly<R>(functor: string, run: (piece: () => void) => R): R {
    const [control, pieces] = [this.#control, this.#pieces];
    control[Word.MAIN] = -1 - this.#idOf(functor);
    try {
      return run(() => {
        control[pieces]!++;
      });
    } finally {
      control[Word.MAIN] = 0;
    }
  }

  #idOf(name: string): number {
    const known = this.#ids.get(name);
    if (known !== undefined) return known;
    const id = this.messages.length;
    const message: NameMessage = { kind: 'name', id, name };
    this.#ids.set(name, id);
    this.messages.push(message);
    this.#announce(message);
    return id;
  }
}
