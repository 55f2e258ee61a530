/** What one list update found: how far particles had moved since the build `age` updates ago. */
export interface Age {
  readonly age: number;
  readonly distance: number;
}

const LONGEST = 64;
/**
 * Predictions are this much on the careful side: the fastest particle of one interval is not that of the next. The
 * margin shrinks while predictions prove right, and grows when steps had to be repeated.
 */
export const MARGIN = { first: 1.06, least: 1.01, most: 1.2, less: 0.001, more: 0.04 } as const;

/**
 * How many updates a list will serve, from how far the fastest particles went lately. Displacements grow in proportion
 * to time or slower, so that the latest age tells most.
 *
 * @param most distance after which a list is stale.
 * @param present interval in use.
 * @param cap never more than this.
 * @param margin see `MARGIN`.
 * @example nextInterval([{ age: 4, distance: 0.06 }], 0.15, 5, 64) → 10: up to age 9 nothing moves farther than 0.15
 */
export function nextInterval(
  ages: readonly Age[],
  most: number,
  present: number,
  cap: number,
  margin: number = MARGIN.first,
): number {
  const room = ages.length === 0 ? 1 : Math.floor(most / (speedOf(ages) * margin)); // Infinity when nothing moves
  return Math.max(1, Math.min(room + 1, 2 * present, cap, LONGEST));
}

/** Distance an update that the fastest particle goes, from the oldest lists. */
export function speedOf(ages: readonly Age[]): number {
  let speed = 0;
  let oldest = 0;
  for (const { age } of ages) oldest = Math.max(oldest, age);
  for (const { age, distance } of ages) if (age === oldest) speed = Math.max(speed, distance / age);
  return speed;
}
