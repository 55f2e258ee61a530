import { CorpuscleError, type ErrorCode } from '@corpuscle/core';

/** Losses that need not happen again: of a device or a thread, and of memory that others may have taken. */
const LOSSES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'DEVICE_LOST',
  'THREAD_LOST',
  'OUT_OF_MEMORY',
]);

/** Whether a run that failed so may succeed when it goes on from its last checkpoint. */
export function isWorthRetrying(error: unknown): boolean {
  return error instanceof CorpuscleError && LOSSES.has(error.code);
}
