/** What one list update found: how far particles had moved since the build `age` updates ago. */
export interface Age {
  readonly age: number;
  readonly distance: number;
  /** Particles farther than tau, at most room + 1; 0 where they were not counted. */
  readonly fast?: number;
}

/** How far particles may move while lists stay good: half the skin, or skin − tau if there is room for those beyond tau. */
export interface Limits {
  readonly skin: number;
  readonly tau: number;
  /** Fast particles that can be compared; 0 where none can. */
  readonly room: number;
  /** All particles. */
  readonly count: number;
}

const LONGEST = 64;
/**
 * Predictions are this much on the careful side: the fastest particle of one interval is not that of the next. The
 * margin shrinks while predictions prove right, and grows when steps had to be repeated.
 */
export const MARGIN = { first: 1.06, least: 1.03, most: 1.2, less: 0.001, more: 0.02 } as const;

/**
 * How many updates a list will serve. Displacements grow in proportion to time or slower.
 *
 * @param speed how far the fastest particle goes in an update.
 * @param reach distance after which a list of an age is stale.
 * @param most never more than this.
 * @example nextInterval(0.016, () => 0.15, 64) → 10: up to age 9 nothing moves farther than 0.15
 */
export function nextInterval(speed: number, reach: (age: number) => number, most: number): number {
  let interval = Math.min(most, LONGEST);
  while (interval > 1 && speed * (interval - 1) > reach(interval - 1)) interval--;
  return Math.max(1, interval);
}

/** Distance an update that the fastest particle goes, from the oldest lists, which tell most. */
export function speedOf(ages: readonly Age[]): number {
  let speed = 0;
  let oldest = 0;
  for (const { age } of ages) oldest = Math.max(oldest, age);
  for (const { age, distance } of ages) if (age === oldest) speed = Math.max(speed, distance / age);
  return speed;
}

/**
 * Particles expected to be farther than `part` of what the fastest went, in thermal motion: the logarithm of their number
 * falls with the square of the speed, from all of them to one.
 */
export const expectedBeyond = (part: number, count: number): number => count ** (1 - part ** 2);

/** The least part of what the fastest goes that no more than `most` particles exceed. */
export const partOfMost = (most: number, count: number): number =>
  most <= 1 ? 1 : Math.sqrt(Math.max(0, 1 - Math.log(most) / Math.log(Math.max(2, count))));
