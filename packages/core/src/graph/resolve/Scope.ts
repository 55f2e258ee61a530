import type { CorpuscleError } from '@corpuscle/functor/error';
import type { OutputCell } from '../Simulation.js';

/**
 * The outputs that a batch's operators can see, by name. A name that is not made inside rises to the batch around it,
 * under the name that `rebind` gives; what is made inside becomes visible outside in the same way.
 *
 *   outer:  thermo_frequency ──┐ rebind: { frequency: thermo_frequency }
 *   inner:          frequency ─┘
 */
export class Scope {
  readonly #parent: Scope | null;
  readonly #rebind: ReadonlyMap<string, string>;
  readonly #outputs = new Map<string, OutputCell>();
  readonly #mentioned = new Set<string>();
  readonly #lacking: { readonly slot: string; readonly mistake: CorpuscleError }[] = [];

  constructor(parent: Scope | null = null, rebind: ReadonlyMap<string, string> = new Map()) {
    this.#parent = parent;
    this.#rebind = rebind;
  }

  /** The nearest output of that name made so far. */
  find(name: string): OutputCell | undefined {
    return this.#outputs.get(name) ?? this.#parent?.find(this.#outer(name));
  }

  /** The name under which `name` is looked up in `global`. */
  globalName(name: string): string {
    return this.#parent ? this.#parent.globalName(this.#outer(name)) : name;
  }

  add(name: string, cell: OutputCell): void {
    this.#outputs.set(name, cell);
  }

  /** Keeps the mistake of a slot without a value for the end of the batch whose rebind may be its reason, if there is one. */
  keep(slot: string, mistake: CorpuscleError): boolean {
    if (!this.#rebind.has(slot)) return this.#parent?.keep(slot, mistake) ?? false;
    this.#lacking.push({ slot, mistake });
    return true;
  }

  /** Mistakes of slots that the batch renames, and that have no value. */
  get lacking(): readonly { readonly slot: string; readonly mistake: CorpuscleError }[] {
    return this.#lacking;
  }

  /** Says that an operator here has a slot of that name, or an expression speaks of it. */
  mention(name: string): void {
    this.#mentioned.add(name);
    this.#parent?.mention(this.#outer(name));
  }

  isMentioned(name: string): boolean {
    return this.#mentioned.has(name);
  }

  /** Names that operators of the batch have. */
  get mentioned(): ReadonlySet<string> {
    return this.#mentioned;
  }

  /** Whether an operator of the batch makes it. */
  makes(name: string): boolean {
    return this.#outputs.has(name);
  }

  /** Makes the batch's outputs visible to those after it. */
  close(): void {
    for (const [name, cell] of this.#outputs) this.#parent?.add(this.#outer(name), cell);
  }

  /** Names visible here. */
  names(): Set<string> {
    return new Set([...this.#outputs.keys(), ...(this.#parent?.names() ?? [])]);
  }

  /** Tells scopes with different renaming apart. */
  get key(): string {
    const own = [...this.#rebind].map(([inner, outer]) => `${inner}=${outer}`).join(',');
    const outer = this.#parent?.key ?? '';
    return own === '' ? outer : `${outer}/${own}`; // batches that rename nothing make no difference
  }

  #outer(name: string): string {
    return this.#rebind.get(name) ?? name;
  }
}
