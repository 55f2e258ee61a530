import { CorpuscleError } from '@corpuscle/core';

/**
 * Removes the total momentum and scales velocities (rows of `width` numbers that begin with x, y, z; changed in place) to an
 * exact temperature over 3N − 3 degrees of freedom.
 *
 * @throws CorpuscleError INVALID_VALUE when one particle alone shall have a temperature; NO_PARTICLES when none shall.
 */
export function scaleVelocities(
  velocity: Float64Array,
  mass: ArrayLike<number>,
  temperature: number,
  boltzmann = 1,
  width: 3 | 4 = 3,
): void {
  const count = mass.length;
  if (!(temperature >= 0) || !Number.isFinite(temperature))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `temperature is ${temperature}: give 0 or a positive number`,
    );
  if (count === 0 && temperature > 0)
    throw new CorpuscleError(
      'NO_PARTICLES',
      'there are no particles to give a temperature: make or read some before',
    );
  if (count < 2 && temperature > 0)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'one particle without total momentum has no temperature: give it a velocity in the file instead',
    );
  removeMomentum(velocity, mass, width);
  let twice = 0;
  for (let k = 0; k < count; k++)
    for (let axis = 0; axis < 3; axis++) twice += mass[k]! * velocity[width * k + axis]! ** 2;
  const present = twice / ((3 * count - 3) * boltzmann);
  const factor = present > 0 ? Math.sqrt(temperature / present) : 0;
  for (let k = 0; k < count; k++)
    for (let axis = 0; axis < 3; axis++)
      velocity[width * k + axis] = factor * velocity[width * k + axis]!;
}

/** Subtracts the velocity of the center of mass from velocities in rows of `width` numbers. */
export function removeMomentum(
  velocity: Float64Array,
  mass: ArrayLike<number>,
  width: 3 | 4 = 3,
): void {
  let total = 0;
  const momentum = [0, 0, 0];
  for (let k = 0; k < mass.length; k++) {
    total += mass[k]!;
    for (let axis = 0; axis < 3; axis++)
      momentum[axis] = momentum[axis]! + mass[k]! * velocity[width * k + axis]!;
  }
  const mean = momentum.map((sum) => sum / total);
  for (let k = 0; k < mass.length; k++)
    for (let axis = 0; axis < 3; axis++)
      velocity[width * k + axis] = velocity[width * k + axis]! - mean[axis]!;
}
