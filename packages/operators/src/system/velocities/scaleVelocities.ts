import { CorpuscleError } from '@corpuscle/core';

/**
 * Removes the total momentum and scales velocities (x0 y0 z0 x1 …, changed in place) to an exact temperature over
 * 3N − 3 degrees of freedom.
 *
 * @throws CorpuscleError INVALID_VALUE when one particle alone shall have a temperature.
 */
export function scaleVelocities(
  velocity: Float64Array,
  mass: ArrayLike<number>,
  temperature: number,
  boltzmann = 1,
): void {
  const count = mass.length;
  if (!(temperature >= 0) || !Number.isFinite(temperature))
    throw new CorpuscleError(
      'INVALID_VALUE',
      `temperature is ${temperature}: give 0 or a positive number`,
    );
  if (count < 2 && temperature > 0)
    throw new CorpuscleError(
      'INVALID_VALUE',
      'one particle without total momentum has no temperature: give it a velocity in the file instead',
    );
  removeMomentum(velocity, mass);
  let twice = 0;
  for (let k = 0; k < count; k++)
    for (let axis = 0; axis < 3; axis++) twice += mass[k]! * velocity[3 * k + axis]! ** 2;
  const present = twice / ((3 * count - 3) * boltzmann);
  const factor = present > 0 ? Math.sqrt(temperature / present) : 0;
  for (let k = 0; k < velocity.length; k++) velocity[k] = factor * velocity[k]!;
}

/** Subtracts the velocity of the center of mass. */
export function removeMomentum(velocity: Float64Array, mass: ArrayLike<number>): void {
  let total = 0;
  const momentum = [0, 0, 0];
  for (let k = 0; k < mass.length; k++) {
    total += mass[k]!;
    for (let axis = 0; axis < 3; axis++)
      momentum[axis] = momentum[axis]! + mass[k]! * velocity[3 * k + axis]!;
  }
  for (let k = 0; k < velocity.length; k++) velocity[k] = velocity[k]! - momentum[k % 3]! / total;
}
