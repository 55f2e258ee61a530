import { combined, type PatternHandle } from '@corpuscle/patterns';

type Values = Readonly<Record<string, number>>;

/** One handle on the results of several calls, all names in one record. */
export const joinTotals = (handles: readonly PatternHandle<Values>[]): PatternHandle<Values> =>
  combined(handles, (all): Values => Object.assign({}, ...all));
