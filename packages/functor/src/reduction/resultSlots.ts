import type { Functor } from '../Functor.js';
import type { PlainResults, ResultOp, ResultSchema } from '../schema.js';

/** Where a result lies in the record of a reduction. */
export interface ResultSlot {
  readonly name: string;
  readonly op: 'sum' | 'max' | 'min' | 'argmax' | 'argmin' | 'real';
  /** First of its reals. */
  readonly offset: number;
  /** Elements of a histogram or array; 0 for a single number. */
  readonly length: number;
  /** The id that belongs to an extreme, or −1. */
  readonly id: number;
}

const withLength = /^(sum|real)\[(\d+)\]$/;

/** Takes a declaration apart; null for one that does not exist. */
export function parseResultOp(op: ResultOp | string): Pick<ResultSlot, 'op' | 'length'> | null {
  if (['sum', 'max', 'min', 'argmax', 'argmin', 'real'].includes(op)) {
    return { op: op as ResultSlot['op'], length: 0 };
  }
  const match = withLength.exec(op);
  const length = Number(match?.[2]);
  if (!match || length < 1 || length > MOST_BINS) return null;
  return { op: match[1] as 'sum' | 'real', length };
}

/** Numbers in one result at most: the lanes of a GPU keep a copy each. */
export const MOST_BINS = 1024;

/**
 * The record of a reduction, one after the other:
 *
 *   reals  [ norm | fastest | speeds[0] … speeds[31] ]      ids  [ fastest ]
 */
export function resultSlots(results: ResultSchema): {
  slots: readonly ResultSlot[];
  reals: number;
  ids: number;
} {
  let reals = 0;
  let ids = 0;
  const slots = Object.entries(results).map(([name, declared]): ResultSlot => {
    const { op, length } = parseResultOp(declared)!;
    const slot = { name, op, offset: reals, length, id: op.startsWith('arg') ? ids++ : -1 };
    reals += Math.max(1, length);
    return slot;
  });
  return { slots, reals, ids };
}

/** The results of a functor of which `isPlain` is known. */
export const plainResults = ({ spec }: Functor): PlainResults =>
  spec.kind === 'reduce' && isPlain(spec.result) ? spec.result : {};

/** Sums, maxima and minima only: what SIMD lanes and the two-word accumulators of GPUs combine by themselves. */
export function isPlain(results: ResultSchema): results is PlainResults {
  return Object.values(results).every((op) => op === 'sum' || op === 'max' || op === 'min');
}
