import { CorpuscleError, type ErrorCode } from '@corpuscle/core';
import { expect, it } from 'vitest';
import { exitCode, exitCodeOf } from '../src/exitCodes.js';

/** The exit code of every error: the compiler asks for a line where a new one appears. */
const expected: Record<ErrorCode, 1 | 2> = {
  SYNTAX: 2,
  UNKNOWN_KEY: 2,
  UNKNOWN_OPERATOR: 2,
  UNKNOWN_TYPE: 2,
  UNKNOWN_UNIT: 2,
  WRONG_DIMENSION: 2,
  WRONG_TYPE: 2,
  MISSING_VALUE: 2,
  INVALID_VALUE: 2,
  MISSING_PAIR: 2,
  FILE_NOT_FOUND: 2,
  FILE_FORMAT: 2,
  UNWRITABLE: 2,
  CHECKPOINT_MISMATCH: 2,
  NO_PARTICLES: 2,
  BOX_TOO_THIN: 2,
  OVERLAP: 2,
  FUNCTOR_SYNTAX: 2,
  FUNCTOR_TYPE: 2,
  FUNCTOR_UNSUPPORTED: 2,
  FUNCTOR_NAME: 2,
  BOND_TOO_LONG: 1,
  NO_ADAPTER: 1,
  NO_MPI: 1,
  DEVICE_LOST: 1,
  THREAD_LOST: 1,
  DEVICE_VALIDATION: 1,
  OUT_OF_MEMORY: 1,
  UNKNOWN_FIELD: 1,
  NO_NEIGHBOR_LISTS: 1,
  NOT_SORTED: 1,
  INDEX_OUT_OF_RANGE: 1,
  BACKEND_UNAVAILABLE: 1,
  NOT_FINITE: 1,
  OUTPUT_FAILED: 1,
  KERNEL_FAILED: 1,
  CLOSED: 1,
  OPERATOR_FAILED: 1,
  CHECK_FAILED: 1,
  INTERNAL: 1,
};

it.each(Object.entries(expected))('%s ends in exit code %i', (code, value) => {
  expect(exitCodeOf(new CorpuscleError(code as ErrorCode, 'what went wrong'))).toBe(value);
});

it('takes the codes of foreign errors for failures of the run', () => {
  const foreign = Object.assign(new Error('not ours'), { code: 'SYNTAX' });
  expect(exitCodeOf(foreign)).toBe(exitCode.failed);
  expect(exitCodeOf(new Error('no code'))).toBe(exitCode.failed);
});
