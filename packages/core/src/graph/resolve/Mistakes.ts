import { CorpuscleError } from '@corpuscle/functor/error';
import { limits } from '../../io/limits.js';
import type { LoadContext, SlotSource } from '../Simulation.js';
import type { ValueSpec } from '../SlotSpec.js';

/** What values are resolved with, and where their mistakes are noted. */
export interface Resolving extends LoadContext {
  readonly mistakes: Mistakes;
  /** What expressions can name here. Without it expressions are only parsed. */
  readonly slots?: SlotLookup;
}

/** Slots and globals by the names that they have at a place in the graph. */
export interface SlotLookup {
  find(
    name: string,
  ): { readonly spec: ValueSpec; readonly sources: ReadonlyMap<string, SlotSource> } | undefined;
  all(): Iterable<string>;
}

/**
 * The mistakes of a document, collected so that all are told at once. A mistake that is met twice, as a global that many
 * operators read, counts once.
 *
 * @example
 * const value = mistakes.attempt(() => resolveValue(node, spec, name, load), undefined);
 * mistakes.throwAny();
 */
export class Mistakes {
  readonly #files: readonly string[];
  readonly #found = new Map<string, CorpuscleError>();
  /** How often a mistake was noted, known ones too: a caller sees by it whether what it resolved is whole. */
  notes = 0;
  /** Places where something is missing from the graph since it was wrong. */
  holes = 0;
  /** Whether what is missing there may have named batches: nothing seems to use them then. */
  hidesBatches = false;
  /** The units are wrong: what does not fit the ones that stand for them is no mistake of its own. */
  hasWrongUnits = false;
  #isFull = false;

  /** @param files in the order in which their mistakes are told. */
  constructor(files: readonly string[] = []) {
    this.#files = files;
  }

  /** Whether something is missing from the graph: what should have come from there is no mistake of its own. */
  get hasHoles(): boolean {
    return this.holes > 0;
  }

  /** Notes that something is missing from the graph. */
  noteHole({ hidesBatches = true } = {}): void {
    this.holes++;
    this.hidesBatches ||= hidesBatches;
  }

  /** What `make` gives; or `otherwise`, after its mistake was noted. Errors of other kinds pass. */
  attempt<T, U>(make: () => T, otherwise: U): T | U {
    try {
      return make();
    } catch (error) {
      if (this.#isFull || !(error instanceof CorpuscleError) || error.code === 'INTERNAL')
        throw error;
      this.note(error);
      return otherwise;
    }
  }

  /** @throws CorpuscleError with all mistakes, where there are more than a limit. */
  note(error: CorpuscleError): void {
    this.notes++;
    for (const one of [error, ...error.more]) {
      if (this.hasWrongUnits && one.code === 'WRONG_DIMENSION') continue;
      const { file, line, column } = one.location ?? {};
      // At the second use of a batch other names may be there: the message lists them, and the mistake is the same.
      // An operator that fails there has another path.
      const message = one.message.replace(/^operator \S+ failed/, '');
      const what = one.code === 'UNKNOWN_KEY' ? one.code : message;
      const key = [file, line, column, what].join('\0');
      if (!this.#found.has(key)) this.#found.set(key, one);
    }
    if (this.#found.size < limits.mistakes) return;
    this.#isFull = true;
    this.throwAny();
  }

  /** What `make` gives where it makes no mistake; undefined where it does, of which nothing is told. */
  static quietly<T>(make: (mistakes: Mistakes) => T): T | undefined {
    const quiet = new Mistakes();
    const made = quiet.attempt(() => make(quiet), undefined);
    return quiet.notes === 0 ? made : undefined;
  }

  /** Gives `otherwise` for something that a mistake told before has made impossible. */
  skip<T>(otherwise: T): T {
    this.notes++;
    return otherwise;
  }

  /** @throws CorpuscleError the first mistake in the order of the text, and with it the others. */
  throwAny(): void {
    const sorted = [...this.#found.values()].sort(
      (a, b) =>
        this.#rank(a) - this.#rank(b) ||
        (a.location?.line ?? 0) - (b.location?.line ?? 0) ||
        (a.location?.column ?? 0) - (b.location?.column ?? 0),
    );
    const [first, ...more] = sorted.map((one) => withMore(one, []));
    if (first) throw more.length === 0 ? sorted[0]! : withMore(first, more);
  }

  /** Files as they were given, then what they include, then options and mistakes without a place. */
  #rank({ location }: CorpuscleError): number {
    if (!location || location.file.startsWith('--set')) return this.#files.length + 1;
    const at = this.#files.indexOf(location.file);
    return at < 0 ? this.#files.length : at;
  }
}

function withMore(error: CorpuscleError, more: readonly CorpuscleError[]): CorpuscleError {
  const { code, message, location, cause } = error;
  return new CorpuscleError(code, message, { ...(location && { location }), cause, more });
}
