import type { ErrorCode } from '@corpuscle/core';

/** Exit codes of the command: shells and batch systems act on them. */
export const exitCode = {
  done: 0,
  failed: 1,
  wrongInput: 2,
  /** Of `convert`: some of the input became comments. */
  incomplete: 3,
  interrupted: 130,
} as const;

/** Errors of what the user gave; every other is one of the run. */
const INPUT_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'SYNTAX',
  'UNKNOWN_KEY',
  'UNKNOWN_OPERATOR',
  'UNKNOWN_TYPE',
  'UNKNOWN_UNIT',
  'WRONG_DIMENSION',
  'WRONG_TYPE',
  'MISSING_VALUE',
  'INVALID_VALUE',
  'MISSING_PAIR',
  'FILE_NOT_FOUND',
  'FILE_FORMAT',
  'UNWRITABLE',
  'CHECKPOINT_MISMATCH',
  'NO_PARTICLES',
  'BOX_TOO_THIN',
  'OVERLAP',
  'FUNCTOR_SYNTAX',
  'FUNCTOR_TYPE',
  'FUNCTOR_UNSUPPORTED',
  'FUNCTOR_NAME',
]);

const ofBegunRuns = new WeakSet<Error>();

/** The same error, as that of a run that has made steps or written files: whatever it says, nothing of that is told before. */
export function failureOf<E>(error: E): E {
  if (error instanceof Error) ofBegunRuns.add(error);
  return error;
}

/** The exit code an error stands for: 2 for mistakes of the input that are told before anything is written. */
export function exitCodeOf(error: unknown): number {
  if (ofBegunRuns.has(error as Error)) return exitCode.failed;
  const code = (error as { code?: ErrorCode }).code;
  const ours = (error as Error).name === 'CorpuscleError';
  return ours && code && INPUT_ERRORS.has(code) ? exitCode.wrongInput : exitCode.failed;
}
