import type { PatternHandle, PreparedCall } from '@corpuscle/patterns';

/** An evaluation of a force term that has been prepared for one grid and one request. */
export interface PreparedForce {
  /** The calls it makes, in their order. */
  // biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
  readonly calls: readonly PreparedCall<any, any>[];
  /** Makes the calls; the handle gives what `ForceTerm.totals` reads. */
  run(): PatternHandle<Readonly<Record<string, number>>>;
  /** Whether what it was prepared from, such as the bonds of the grid, is still the same. */
  isCurrent(): boolean;
}
