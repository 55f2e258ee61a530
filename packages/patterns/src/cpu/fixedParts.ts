/**
 * Parts in which a deterministic context computes pairs and neighborhoods. Each has sums of its own, which are added in their
 * order, so that bits do not depend on the number of threads. 1, 2, 4 and 8 threads share them evenly. More parts cost more:
 * each adds a buffer to read, about 1 % of a force call.
 */
export const FIXED_PARTS = 8;
