/** Whether tests run in their long form: the script `test:long` sets CORPUSCLE_LONG=1. */
export const isLong = process.env.CORPUSCLE_LONG === '1';

/**
 * What a test takes in `test` and in `test:long`: how many random cases, or which cases.
 *
 * `test:long` runs the test files that import this module, and no others.
 *
 * @example
 * await fc.assert(property, { numRuns: runs(15, 150) });
 */
export const runs = <T>(short: T, long: T): T => (isLong ? long : short);
