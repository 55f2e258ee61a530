import { CorpuscleError, type SourceLocation } from '@corpuscle/functor/error';

/** An operator, as messages name it. */
export interface FailedOperator {
  /** Batches around it and its own name: `molecular_dynamics/compute_force/my_force`. */
  readonly path: string;
  /** Whether it comes with a package: then a failure is a defect of ours. */
  readonly isBuiltIn: boolean;
  /** Where the user wrote it. */
  readonly location?: SourceLocation | undefined;
}

/**
 * What was thrown by an operator, as an error with a place in the user's files: errors of Corpuscle keep code and message,
 * anything else becomes OPERATOR_FAILED, or INTERNAL where the operator comes with a package.
 *
 *   TypeError: k is undefined   →   operator compute_force/my_force failed: TypeError: k is undefined (my_force.js:12:7)
 */
export function operatorFailure(error: unknown, operator: FailedOperator): CorpuscleError {
  const { location } = operator;
  if (error instanceof CorpuscleError) {
    if (error.location || !location) return error;
    return new CorpuscleError(error.code, error.message, { location, cause: error });
  }
  const code = operator.isBuiltIn ? 'INTERNAL' : 'OPERATOR_FAILED';
  const message = `operator ${operator.path} failed: ${textOf(error)}${placeOf(error)}`;
  return new CorpuscleError(code, message, { ...(location ? { location } : {}), cause: error });
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

/** The first place in a file that the stack names, for the operator's author. */
function placeOf(error: unknown): string {
  const lines = (error instanceof Error && error.stack?.split('\n')) || [];
  for (const line of lines) {
    const place = /^\s*at .*?\(?((?:file:\/\/|\/|[A-Za-z]:[\\/])[^()]*:\d+:\d+)\)?$/.exec(
      line,
    )?.[1];
    if (place) return ` (${place.replace('file://', '')})`;
  }
  return '';
}
