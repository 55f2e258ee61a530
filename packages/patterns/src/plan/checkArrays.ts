import { CorpuscleError, type SharedHeap } from '@corpuscle/core';
import type { FieldType, Functor } from '@corpuscle/functor';
import { SharedArray } from './createArray.js';

const none: Readonly<Record<string, SharedArray>> = Object.freeze({});
const fitting: Record<FieldType, readonly string[]> = {
  real: ['real', 'f64', 'f32'],
  i32: ['i32'],
  u32: ['u32'],
};

/**
 * Checks the arrays of a call against what the functor declares.
 * @throws CorpuscleError MISSING_VALUE, WRONG_TYPE, UNKNOWN_KEY or INVALID_VALUE, naming functor and array.
 */
export function checkArrays(
  { name: functor, spec }: Functor<'block'>,
  given: object | undefined,
  heap: SharedHeap,
): Record<string, SharedArray> {
  const values = (given ?? none) as Record<string, SharedArray>;
  if (spec.kind !== 'block') return values;
  for (const schema of [spec.arrays, spec.read]) {
    for (const name in schema) {
      const array = values[name];
      if (!(array instanceof SharedArray)) {
        throw new CorpuscleError(
          'MISSING_VALUE',
          `array '${name}' of functor '${functor}' is missing: give one made by createArray in arrays`,
        );
      }
      if (array.block.heap !== heap)
        throw new CorpuscleError(
          'INVALID_VALUE',
          `array '${name}' of functor '${functor}' is one of another execution context: make it with createArray and the context of the call`,
        );
      if (fitting[schema[name]!].includes(array.type)) continue;
      throw new CorpuscleError(
        'WRONG_TYPE',
        `array '${name}' of functor '${functor}' holds ${array.type}, but the functor wants ${schema[name]}`,
      );
    }
  }
  for (const name in values) {
    if (name in spec.arrays || name in spec.read) continue;
    const has = Object.keys({ ...spec.arrays, ...spec.read }).join(', ');
    throw new CorpuscleError(
      'UNKNOWN_KEY',
      `functor '${functor}' has no array '${name}' (it has: ${has})`,
    );
  }
  return values;
}
