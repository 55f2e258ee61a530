import { joinDouble, splitDouble } from '../../src/lower/wgsl/double/splitDouble.js';

/** What double-single can hold of a number. */
export const toDouble = (value: number): number => joinDouble(...splitDouble(value));
