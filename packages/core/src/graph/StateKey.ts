import { CorpuscleError } from '@corpuscle/functor/error';

declare const valueType: unique symbol;

/**
 * Names one typed entry of the SimulationState, such as the grid. The package that owns the type makes the key.
 *
 * @example
 * export const gridKey = stateKey<Grid>('grid', 'the particles: put lattice or read_extended_xyz first');
 */
export interface StateKey<T> {
  readonly name: string;
  /** What it is and how to get it; ends the error message when it is missing. */
  readonly doc: string;
  readonly [valueType]?: T;
}

/** The number of every name that has been asked for. */
const numbers = new Map<string, number>();

function numberOfName(name: string): number {
  let number = numbers.get(name);
  if (number === undefined) {
    number = numbers.size;
    numbers.set(name, number);
  }
  return number;
}

/** A key that knows its number: operators look up some thirty entries a step. */
class NumberedKey<T> implements StateKey<T> {
  readonly name: string;
  readonly doc: string;
  declare readonly [valueType]?: T;
  readonly #number: number;

  constructor(name: string, doc: string) {
    this.name = name;
    this.doc = doc;
    this.#number = numberOfName(name);
  }

  // Keys of another copy of this package, or written by hand, have no number, or one that means something else.
  static numberOf(key: StateKey<unknown>): number {
    if (typeof key !== 'object' || key === null)
      throw new CorpuscleError(
        'INVALID_VALUE',
        `the key of an entry is ${typeof key === 'string' ? `the text '${key}'` : String(key)}: give what stateKey makes, such as gridKey`,
      );
    return #number in key ? key.#number : numberOfName(key.name);
  }
}

/**
 * The key of an entry that operators share. Keys of one name are the same entry.
 *
 * @param name also stands in the message when the entry is missing.
 * @param doc what to do about a missing entry, as a clause.
 * @example
 * const bondsKey = stateKey<Bonds>('bonds', 'put bond_particles before the forces');
 */
export function stateKey<T>(name: string, doc: string): StateKey<T> {
  return new NumberedKey<T>(name, doc);
}

/** Where a state keeps the entry of a key: the same for all keys of one name. */
export const numberOf: (key: StateKey<unknown>) => number = NumberedKey.numberOf;
