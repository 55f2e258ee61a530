import type { CorpuscleError } from '@corpuscle/functor/error';
import type { SlotSpec } from '../SlotSpec.js';
import type { MapEntry, SourceNode } from '../yaml/SourceNode.js';
import type { Definitions } from './Definitions.js';
import { describeSpec } from './describeSpec.js';
import { Mistakes, type Resolving } from './Mistakes.js';
import { resolveValue } from './resolveValue.js';
import type { Scope } from './Scope.js';

/** The operator that lacks something. */
interface Asking {
  /** Its name in messages. */
  readonly title: string;
  readonly place: SourceNode | MapEntry;
  readonly scope: Scope;
  readonly definitions: Definitions;
  readonly resolving: Resolving;
}

/** Tells what slots of one operator lack, once, and only where no other mistake says why. */
export class MissingSlots {
  readonly #asking: Asking;
  readonly #strange: MapEntry[];

  /** @param strange unknown keys that are like no slot: a value under one of them may be what a slot lacks. */
  constructor(strange: readonly MapEntry[], asking: Asking) {
    this.#strange = [...strange];
    this.#asking = asking;
  }

  /** Notes that a slot has no value, if it needs one. */
  note(name: string, spec: SlotSpec): void {
    const { scope, definitions } = this.#asking;
    const { mistakes, isLoose, meantGlobals, hasLostGlobals } = definitions;
    if (isLoose) return;
    const isMeant = hasLostGlobals || meantGlobals.has(scope.globalName(name));
    if (!spec.required) {
      if (isMeant) mistakes.skip(undefined); // the operator's own checks would miss it
      return;
    }
    // What would have come from something that is itself wrong is not missing.
    const isObject = spec.type === 'object';
    const error = this.#missing(name, spec);
    const isTold =
      isMeant ||
      (isObject && mistakes.hasHoles) ||
      this.#isUnderOtherName(name, spec) ||
      this.#isToldMissing(name, error) ||
      scope.keep(name, error);
    if (isTold) mistakes.skip(undefined);
    else mistakes.note(error);
  }

  /** Whether an unknown key has a value that the slot takes: it is told by itself, and stands for one slot. */
  #isUnderOtherName(name: string, spec: SlotSpec): boolean {
    const at = this.#strange.findIndex(({ value }) =>
      Mistakes.quietly((mistakes) => [
        resolveValue(value, spec, name, { ...this.#asking.resolving, mistakes }),
      ]),
    );
    return at >= 0 && this.#strange.splice(at, 1).length > 0;
  }

  /** Whether another operator of this place has needed the same, and lacked it. */
  #isToldMissing(name: string, { location }: CorpuscleError): boolean {
    const { missing } = this.#asking.definitions;
    const { file, line, column } = location!;
    const key = [file, line, column, this.#asking.scope.globalName(name)].join('\0');
    if (missing.has(key)) return true;
    missing.add(key);
    return false;
  }

  #missing(name: string, spec: SlotSpec): CorpuscleError {
    const { title, place, scope, definitions } = this.#asking;
    const globalName = scope.globalName(name);
    const where = spec.type === 'object' ? '' : `, or set global.${globalName}`;
    return definitions.errorAt(
      place,
      'MISSING_VALUE',
      `${title} needs '${name}' (${spec.doc}): give ${describeSpec(spec)}${where}`,
    );
  }
}
