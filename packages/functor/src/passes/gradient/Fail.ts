import type { Expr } from '../../ir.js';

/** Throws what cannot be derived and what to do, at the place of the expression; null where no place is known. */
export type Fail = (at: Expr | null, problem: string, remedy: string) => never;
