import { CorpuscleError, type ErrorCode } from '@corpuscle/core';

/** Gives an error the place of what has made the call. */
export type Locate = (error: unknown) => unknown;

/** Errors of what a call does: others, such as the loss of a device, are told to calls that have no part in them. */
const codes: ReadonlySet<ErrorCode> = new Set(['INDEX_OUT_OF_RANGE', 'NOT_FINITE']);
const known = new WeakMap<CorpuscleError, unknown>();

/** An error that has come after its call returned, with a place. It is the same for all calls that fail by it. */
export function located(error: unknown, locate: Locate | undefined): unknown {
  if (!locate || !(error instanceof CorpuscleError) || !codes.has(error.code)) return error;
  const found = known.get(error) ?? locate(error);
  known.set(error, found);
  return found;
}
