import type { CorpuscleError } from '@corpuscle/functor/error';
import type { Frame, FrameBranch } from './frames.js';
import type { Walker } from './Walker.js';

/**
 * One pass of a parallel batch. A branch begins as soon as those that it waits for have ended, and keeps its own order:
 *
 *   [rdf, [clusters, message], centro_symmetry]     rdf        ├──────────┤
 *                                                   branch     ├────┤├┤
 *                                                   centro     ├──────┤
 *
 * What they say comes in the order of the file. After an error no branch begins; those that have begun come to their ends.
 */
export class ParallelPass {
  readonly #walker: Walker;
  readonly #frame: Frame;
  readonly #branches: readonly FrameBranch[];
  readonly #ends: Promise<void>[] = [];
  readonly #ended = new Set<number>();
  readonly #errors = new Map<number, unknown>();
  /** The first branch that has not spoken. */
  #next: number;

  constructor(walker: Walker, frame: Frame) {
    this.#walker = walker;
    this.#frame = frame;
    this.#branches = frame.branches!;
    this.#next = 0;
  }

  /** @param from the first branch: those before it have ended. */
  async run(from: number): Promise<void> {
    this.#next = from;
    let prepared: Promise<unknown> = Promise.resolve();
    for (let k = from; k < this.#branches.length; k++) {
      const before = this.#branches[k]!.waitsFor.filter((one) => one >= from);
      const ready = Promise.all([prepared, ...before.map((one) => this.#ends[one]!)]);
      // Operators are prepared in the order of the file: some of them take numbers then.
      const entered = ready.then(() => this.#enter(k));
      prepared = before.length > 0 ? prepared : entered.catch(() => undefined);
      this.#ends[k] = entered
        .then(() => this.#run(k))
        .then(
          () => this.#end(k),
          (error: unknown) => this.#end(k, error),
        );
    }
    await Promise.all(this.#ends.slice(from));
    this.#throw();
  }

  async #enter(number: number): Promise<void> {
    const { own } = this.#branches[number]!;
    if (this.#errors.size > 0 || !own) return;
    own.state.begin();
    await own.walker.enterItem(this.#frame.items[number]!);
  }

  async #run(number: number): Promise<void> {
    const { own } = this.#branches[number]!;
    if (this.#errors.size > 0) return;
    this.#frame.at = number;
    await (own?.walker ?? this.#walker).runItem(this.#frame, number);
  }

  async #end(number: number, error?: unknown): Promise<void> {
    if (error !== undefined) this.#errors.set(number, error);
    await this.#branches[number]!.own?.state.end();
    this.#ended.add(number);
    while (this.#ended.has(this.#next)) this.#branches[this.#next++]!.own?.state.tell();
  }

  /** The first error in the order of the file; others are told beside it. */
  #throw(): void {
    const failed = [...this.#errors.keys()].sort((a, b) => a - b);
    if (failed.length === 0) return;
    for (const number of failed.slice(1)) {
      const { message } = this.#errors.get(number) as CorpuscleError;
      this.#walker.state.say(`a branch beside the one that failed has failed too: ${message}`);
    }
    throw this.#errors.get(failed[0]!);
  }
}
