import { it } from 'vitest';

/** Whether tests run in their long form: the script `test:long` sets CORPUSCLE_LONG=1. */
export const isLong = process.env.CORPUSCLE_LONG === '1';

/**
 * What a test takes in `test` and in `test:long`: how many random cases, or which cases.
 *
 * `test:long` runs the test files that import this module, and no others. Its cases are those that `test` leaves out, or more.
 *
 * @example
 * await fc.assert(property, { numRuns: runs(15, 150) });
 */
export const runs = <T>(short: T, long: T): T => (isLong ? long : short);

/** `it` of a test that is the same in both forms: `test` makes it, and `test:long` leaves it out. */
export const itOnce: typeof it.skip = isLong ? it.skip : it;
/** `it` of a test that costs too much for `test`: `test:long` alone makes it. */
export const itLong: typeof it.skip = isLong ? it : it.skip;
