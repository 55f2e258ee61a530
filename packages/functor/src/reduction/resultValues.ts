import { CorpuscleError } from '../error/CorpuscleError.js';
import type { Extreme } from '../schema.js';
import { NO_PARTICLE, type Reduction, type ResultRecord } from './Reduction.js';

/** What a caller sees of a record: numbers, `{ value, id }` for extremes, arrays for histograms. */
export function valuesOf(
  { slots }: Reduction,
  { reals, ids }: ResultRecord,
): Record<string, number | Extreme | Float64Array> {
  const values: Record<string, number | Extreme | Float64Array> = {};
  for (const { name, offset, length, id } of slots) {
    const value = reals[offset]!;
    if (length > 0) values[name] = reals.slice(offset, offset + length);
    else if (id < 0) values[name] = value;
    else values[name] = { value, id: ids[id] === NO_PARTICLE ? -1 : ids[id]! };
  }
  return values;
}

/**
 * The record of the initial values a caller has given.
 * @throws CorpuscleError WRONG_TYPE naming the result.
 */
export function initialRecord(
  reduction: Reduction,
  given: Readonly<Record<string, unknown>>,
): ResultRecord {
  const record = reduction.identity();
  for (const { name, offset, length, id } of reduction.slots) {
    const value = given[name];
    if (value === undefined) continue;
    const fail = (wanted: string): never => {
      const { name: functor } = reduction.functor;
      throw new CorpuscleError(
        'WRONG_TYPE',
        `the initial value of '${name}' in functor '${functor}' must be ${wanted}`,
      );
    };
    if (length > 0) {
      const list = value as ArrayLike<number>;
      if (list?.length !== length) fail(`an array of ${length} numbers`);
      record.reals.set(list, offset);
    } else if (id < 0) {
      if (typeof value !== 'number') fail('a number');
      record.reals[offset] = value as number;
    } else {
      const extreme = value as Extreme;
      if (typeof extreme?.value !== 'number' || typeof extreme.id !== 'number')
        fail('{ value, id }');
      record.reals[offset] = extreme.value;
      record.ids[id] = extreme.id < 0 ? NO_PARTICLE : extreme.id;
    }
  }
  return record;
}
