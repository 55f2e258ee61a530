import type { ErrorCode } from '@corpuscle/core';

/** Exit codes of the command: shells and batch systems act on them. */
export const exitCode = { done: 0, failed: 1, wrongInput: 2, interrupted: 130 } as const;

/** Errors of the run, as opposed to errors of what the user gave. */
const RUN_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NO_ADAPTER',
  'DEVICE_LOST',
  'DEVICE_VALIDATION',
  'OUT_OF_MEMORY',
  'UNKNOWN_FIELD',
  'NO_NEIGHBOUR_LISTS',
  'INDEX_OUT_OF_RANGE',
  'BACKEND_UNAVAILABLE',
  'NOT_FINITE',
  'CLOSED',
  'INTERNAL',
]);

/** The exit code an error stands for. */
export function exitCodeOf(error: unknown): number {
  const code = (error as { code?: ErrorCode }).code;
  const ours = (error as Error).name === 'CorpuscleError';
  return ours && code && !RUN_ERRORS.has(code) ? exitCode.wrongInput : exitCode.failed;
}
