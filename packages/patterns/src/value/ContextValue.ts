import { CorpuscleError } from '@corpuscle/core';
import type { ParamValues } from '@corpuscle/functor';
import { combined } from '../handles/combined.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type { EngineValues } from './EngineValues.js';
import { writersOf } from './writers.js';

/** One number of a value, as a parameter of a call. */
export class ValueReference {
  readonly values: EngineValues;
  readonly at: number;

  constructor(values: EngineValues, at: number) {
    this.values = values;
    this.at = at;
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
  readonly engineValues: EngineValues;

  constructor(names: readonly N[], engineValues: EngineValues) {
    this.names = names;
    this.engineValues = engineValues;
  }

  /** One of the numbers, for `params` of a call. @throws CorpuscleError UNKNOWN_KEY */
  of(name: N): ValueReference {
    return new ValueReference(this.engineValues, this.placeOf(name));
  }

  /** The numbers as they are after every call so far. They arrive later; asking never makes the device wait. */
  read(): PatternHandle<Record<N, number>> {
    const values = this.engineValues;
    const writers = writersOf(values);
    const numbers =
      writers.length > 0
        ? combined<unknown, readonly number[]>(writers, () => values.read().wait())
        : values.read();
    return combined([numbers], ([found]) => this.#record(found!));
  }

  /** Sets all numbers, in the order of calls. @throws CorpuscleError MISSING_VALUE */
  write(numbers: Readonly<Record<N, number>>): void {
    this.engineValues.write(
      this.names.map((name) => {
        const number = numbers[name];
        if (typeof number === 'number') return number;
        throw new CorpuscleError(
          'MISSING_VALUE',
          `the value '${name}' is missing: give all of them`,
        );
      }),
    );
  }

  /** Gives the memory back. Calls that use them must not be run any more. */
  close(): void {
    this.engineValues.free();
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

/**
 * The place in a value that all results of a call are written to.
 * @throws CorpuscleError INVALID_VALUE when it has other names, or in another order.
 */
export function placeOfResults(
  functor: string,
  results: readonly string[],
  into: ContextValue,
): { readonly values: EngineValues; readonly at: number } {
  const first = results[0] === undefined ? 0 : into.placeOf(results[0]);
  const isSame = results.every((name, k) => into.names[first + k] === name);
  if (isSame) return { values: into.engineValues, at: first };
  throw new CorpuscleError(
    'INVALID_VALUE',
    `the results of '${functor}' are ${results.join(', ')}: make a value that has these names in this order (it has ${into.names.join(', ')})`,
  );
}
