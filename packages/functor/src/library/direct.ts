import { intrinsics } from './builtins.js';

/** 1 − erf(x) on the host, the same as `h.erfc(x)` in a direct call of a functor. */
export const erfc = (x: number): number => intrinsics.erfc(x);
