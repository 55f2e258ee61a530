import { CorpuscleError, type Domain, uniform } from '@corpuscle/core';
import { PlaceTable } from './PlaceTable.js';

export interface RandomPlaces {
  readonly count: number;
  /** No two places, and no place and a particle, are closer than this. Default 0. */
  readonly minDistance?: number;
  /** Whether a place may be taken. */
  readonly isInside: (x: number, y: number, z: number) => boolean;
  /** Particles that are there, x y z after each other. */
  readonly present: ArrayLike<number>;
  /** Tries for each place. */
  readonly attempts: number;
  readonly seed: number;
  readonly stream: number;
  /** The first of its numbers that is drawn. Default 0. */
  readonly first?: number;
}

/**
 * Random places in a box, uniformly distributed where they may be.
 * @throws CorpuscleError INVALID_VALUE when a place is not found in as many attempts.
 */
export function randomPlaces(domain: Domain, options: RandomPlaces): [number, number, number][] {
  const { count, minDistance = 0, isInside, present, attempts, seed, stream, first = 0 } = options;
  const table = minDistance > 0 ? new PlaceTable(domain, minDistance) : null;
  for (let k = 0; table && k < present.length; k += 3)
    table.add(present[k]!, present[k + 1]!, present[k + 2]!);
  const places: [number, number, number][] = [];
  let draws = first;
  const next = () => uniform(seed, stream, draws++);
  while (places.length < count) {
    let tries = 0;
    for (;;) {
      const at = domain.toCartesian(next(), next(), next());
      if (isInside(...at) && !table?.isNear(...at)) {
        table?.add(...at);
        places.push([...at]);
        break;
      }
      if (++tries < attempts) continue;
      throw new CorpuscleError(
        'INVALID_VALUE',
        `no place for particle ${places.length + 1} of ${count} was found in ${attempts} attempts: lower min_distance or count, or raise attempts`,
      );
    }
  }
  return places;
}
