import {
  type ContextValue,
  combined,
  type PatternHandle,
  type PreparedCall,
} from '@corpuscle/patterns';
import { joinTotals } from './joinTotals.js';

/** An evaluation of a force term that has been prepared for one grid and one request. */
export interface PreparedForce {
  /** The calls it makes, in their order; their results stay where they are made. */
  // biome-ignore lint/suspicious/noExplicitAny: calls of any parameters and results
  readonly calls: readonly PreparedCall<any, any>[];
  /** Values that have what `ForceTerm.totals` reads, once the calls have been made; none where no totals are asked for. */
  readonly totals: readonly ContextValue[];
  /** Whether what it was prepared from, such as the bonds of the grid, is still the same. */
  isCurrent(): boolean;
  /** Gives back what the evaluation holds. */
  close(): void;
}

type Values = Readonly<Record<string, number>>;

/** Makes the calls of an evaluation. @returns when they have been made. */
export function makeCalls({ calls }: PreparedForce): PatternHandle<unknown> | null {
  let last: PatternHandle<unknown> | null = null;
  for (const call of calls) last = call.run();
  return last;
}

/** Makes the calls of an evaluation for once. @returns what `ForceTerm.totals` reads. */
export function evaluateOnce(prepared: PreparedForce): PatternHandle<Values> {
  makeCalls(prepared);
  return combined([readTotals(prepared)], ([totals]) => {
    prepared.close();
    return totals!;
  });
}

/** The totals as they are after all calls so far. */
export const readTotals = ({ totals }: PreparedForce): PatternHandle<Values> =>
  joinTotals(totals.map((value) => value.read()));
