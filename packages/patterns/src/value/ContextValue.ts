import { CorpuscleError } from '@corpuscle/core';
import type { ParamValues } from '@corpuscle/functor';
import { combined } from '../handles/combined.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import { atCaller } from '../plan/atCaller.js';
import type { EngineValues } from './EngineValues.js';
import { writersOf } from './writers.js';

/** One number of a value, as a parameter of a call. */
export class ValueReference {
  /** @internal */
  readonly value: ContextValue;
  readonly at: number;

  constructor(value: ContextValue, at: number) {
    this.value = value;
    this.at = at;
  }

  /** @throws CorpuscleError CLOSED @internal */
  get values(): EngineValues {
    return this.value.engineValues;
  }
}

/** Parameters of a call: numbers and tables, or for a real number one of a value of the context. */
export type CallParams<P> =
  | ParamValues<P>
  | {
      readonly [N in keyof P]: P[N] extends 'real'
        ? number | ValueReference
        : P[N] extends `${string}[]`
          ? ArrayLike<number>
          : number;
    };

/**
 * Named real numbers that live where a context computes: a reduction writes them, `valueFunctor` computes with them, and any later
 * call takes them as parameters. On a device they have 48 bits in f64 and mixed, and 24 in f32, where sums of reductions keep 48.
 * @example
 * const thermostat = ctx.value({ twiceKinetic: 0, scale: 1 });
 * const scale = prepareCellParticles(grid, scaleVelocities, ctx, { params: { s: thermostat.of('scale') } });
 * const { scale: last } = await thermostat.read();
 */
export class ContextValue<N extends string = string> {
  readonly names: readonly N[];
  readonly #values: EngineValues;
  /** The engines of its context. */
  readonly #owner: object;
  #isClosed = false;
  readonly #references: ValueReference[] = [];

  constructor(names: readonly N[], values: EngineValues, owner: object) {
    this.names = names;
    this.#values = values;
    this.#owner = owner;
  }

  /** Where an engine keeps the numbers. @throws CorpuscleError CLOSED: others may have their place now. */
  get engineValues(): EngineValues {
    this.#checkOpen();
    return this.#values;
  }

  /** Checks that calls on these engines can use it. @throws CorpuscleError INVALID_VALUE for those of another context; CLOSED @internal */
  checkOwner(engines: object): void {
    this.#checkOpen();
    if (engines === this.#owner) return;
    throw new CorpuscleError(
      'INVALID_VALUE',
      `${this.#title} is one of another execution context: make it with ctx.value of the context of the call`,
    );
  }

  #checkOpen(): void {
    if (!this.#isClosed) return;
    throw new CorpuscleError('CLOSED', `${this.#title} is closed: make it again with ctx.value`);
  }

  get #title(): string {
    return `the value { ${this.names.join(', ')} }`;
  }

  /** One of the numbers, for `params` of a call: the same each time. @throws CorpuscleError UNKNOWN_KEY, CLOSED */
  of(name: N): ValueReference {
    this.#checkOpen();
    const at = this.placeOf(name);
    this.#references[at] ??= new ValueReference(this as ContextValue, at);
    return this.#references[at];
  }

  /** The numbers as they are after every call so far. They arrive later; asking never makes the device wait. @throws CorpuscleError CLOSED */
  read(): PatternHandle<Record<N, number>> {
    const values = this.engineValues;
    const writers = writersOf(values);
    const numbers =
      writers.length > 0
        ? combined<unknown, readonly number[]>(writers, () => values.read().wait())
        : values.read();
    return combined([numbers], ([found]) => this.#record(found!));
  }

  /** Sets all numbers, in the order of calls. @throws CorpuscleError MISSING_VALUE, UNKNOWN_KEY, WRONG_TYPE, CLOSED */
  write(numbers: Readonly<Record<N, number>>): void {
    const all = atCaller(this.write, () => {
      for (const name of Object.keys(checkedNumbers(numbers))) this.placeOf(name);
      return this.names.map((name) => {
        if (Object.hasOwn(numbers, name)) return numbers[name];
        throw new CorpuscleError(
          'MISSING_VALUE',
          `the value '${name}' is missing: give all of them`,
        );
      });
    });
    this.engineValues.write(all);
  }

  /** Gives the memory back. It, and calls that use it, must not be used any more. */
  close(): void {
    if (!this.#isClosed) this.#values.free();
    this.#isClosed = true;
  }

  /** Where a number stands. @throws CorpuscleError UNKNOWN_KEY */
  placeOf(name: string): number {
    const at = (this.names as readonly string[]).indexOf(name);
    if (at >= 0) return at;
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `there is no value '${name}' (there are: ${this.names.join(', ')})`,
    );
  }

  #record(numbers: readonly number[]): Record<N, number> {
    const record = {} as Record<N, number>;
    for (const [k, name] of this.names.entries()) record[name] = numbers[k]!;
    return record;
  }
}

/** @throws CorpuscleError WRONG_TYPE for what is no record of numbers */
export function checkedNumbers<V extends Readonly<Record<string, number>>>(numbers: V): V {
  const isRecord = typeof numbers === 'object' && numbers !== null && !Array.isArray(numbers);
  const given: unknown[] = isRecord ? Object.values(numbers) : [];
  if (given.length > 0 && given.every((number) => typeof number === 'number')) return numbers;
  throw new CorpuscleError(
    'WRONG_TYPE',
    'a value is made of named numbers: give an object such as { sum: 0 }',
  );
}

/**
 * The place in a value that all results of a call are written to.
 * @throws CorpuscleError INVALID_VALUE when there are none, or it has other names, or in another order.
 */
export function placeOfResults(
  functor: string,
  results: readonly string[],
  into: ContextValue,
): { readonly values: EngineValues; readonly at: number } {
  if (results[0] === undefined)
    throw new CorpuscleError(
      'INVALID_VALUE',
      `'${functor}' has no totals for a value: let outputs go to total, or leave into out`,
    );
  const first = into.placeOf(results[0]);
  const isSame = results.every((name, k) => into.names[first + k] === name);
  if (isSame) return { values: into.engineValues, at: first };
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the results of '${functor}' are ${results.join(', ')}: make a value that has these names in this order (it has ${into.names.join(', ')})`,
  );
}
