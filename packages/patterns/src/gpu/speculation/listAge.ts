/** What one list update found: how far particles had moved since the rebuild `age` updates ago. */
export interface ListAge {
  readonly age: number;
  /** Of the fastest particle. */
  readonly distance: number;
  /** Particles farther than tau, at most mostFast + 1; 0 where they were not counted. */
  readonly fast?: number;
}

/** How far particles may move while lists stay good: half the skin, or skin − tau if there is room for those beyond tau. */
export interface Limits {
  readonly skin: number;
  readonly tau: number;
  /** Fast particles that can be compared; 0 where none can. */
  readonly mostFast: number;
  /** All particles. */
  readonly count: number;
}

/** Updates that a list serves at most. */
const LONGEST = 64;

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
export function speedOf(ages: readonly ListAge[]): number {
  let speed = 0;
  let oldest = 0;
  for (const { age } of ages) oldest = Math.max(oldest, age);
  for (const { age, distance } of ages) if (age === oldest) speed = Math.max(speed, distance / age);
  return speed;
}
