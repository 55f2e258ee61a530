import type { BlockCall } from '../../plan/calls.js';
import type { Schedule } from '../Schedule.js';

/** The next multiple, at least one. */
const roundUp = (size: number, multiple: number): number =>
  multiple * Math.max(1, Math.ceil(size / multiple));

/**
 * How the indices of a block space are handed to threads; chunks are multiples of what shares a record of results.
 * - dynamic: about sixteen chunks a thread, or as large as the call says
 * - static: one range a thread
 * - guided, stealing: large chunks first, then ever smaller ones, down to `chunk`
 */
export function blockSchedule(
  { schedule, chunk }: Pick<BlockCall, 'schedule' | 'chunk'>,
  count: number,
  multiple: number,
  threads: number,
): Schedule {
  if (schedule === 'static') {
    const share = roundUp(count / threads, multiple);
    const bounds = Array.from({ length: threads + 1 }, (_, k) => Math.min(count, k * share));
    return { kind: 'static', bounds, chunk: roundUp(chunk ?? share, multiple) };
  }
  if (schedule === 'guided' || schedule === 'stealing') {
    return { kind: 'guided', chunk: roundUp(chunk ?? 1, multiple) };
  }
  const even = Math.min(1024, Math.max(1, Math.floor(count / (16 * threads))));
  return { kind: 'dynamic', chunk: roundUp(chunk ?? even, multiple) };
}
