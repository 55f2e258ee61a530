import { CorpuscleError, type Grid } from '@corpuscle/core';
import { checkLength, exactLimit } from './parameters.js';

/**
 * Fields of a grid's particles in single precision, one column after the other: `packed[k·count + row]`.
 * @throws CorpuscleError INVALID_VALUE for an integer that a float cannot hold.
 */
export function packColumns(grid: Grid, fields: readonly string[]): Float32Array {
  const { count } = grid;
  checkLength(fields.length * count, `${fields.length} fields of ${count} particles`);
  const packed = new Float32Array(Math.max(4, fields.length * count));
  fields.forEach((field, k) => {
    if (!grid.hasField(field)) return; // an output that is only summed
    const { block, component } = grid.field(field);
    const { array, spec } = grid.block(block);
    const whole = !(array instanceof Float64Array);
    for (let row = 0; row < count; row++) {
      const value = Number(array[row * spec.width + component]);
      if (whole && Math.abs(value) > exactLimit) {
        throw new CorpuscleError(
          'INVALID_VALUE',
          `field '${field}' of the particle in row ${row} is ${value}, and WebGL holds integers up to ${exactLimit} only: use smaller numbers, or backend cpu or webgpu`,
        );
      }
      packed[k * count + row] = value;
    }
  });
  return packed;
}

/** Writes (or adds) one of a kernel's four outputs to a field of the particles. */
export function storeColumn(
  grid: Grid,
  field: string,
  results: ArrayLike<ArrayLike<number>>,
  component: number,
  how: 'set' | 'add',
): void {
  const place = grid.field(field);
  const block = grid.block(place.block);
  const { array, spec } = block;
  if (array instanceof BigUint64Array)
    throw new CorpuscleError('INTERNAL', `field '${field}' is an id, which functors cannot write`);
  for (let row = 0; row < grid.count; row++) {
    const at = row * spec.width + place.component;
    const value = results[row]![component]!;
    array[at] = how === 'add' ? array[at]! + value : value;
  }
  block.hostWritten();
}
