import { CorpuscleError, isOfCaller, type SourceLocation } from '@corpuscle/functor/error';
import { isBuilt, isOurs, placesIn } from '../stackPlaces.js';

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
 * What was thrown by an operator, as an error with a place in the user's files: errors of Corpuscle keep their codes, and their
 * messages where the operator has made them; anything else becomes OPERATOR_FAILED, or INTERNAL where the operator comes with a package.
 *
 *   TypeError: k is undefined   →   operator compute_force/my_force failed: TypeError: k is undefined (my_force.js:12:7)
 */
export function operatorFailure(error: unknown, operator: FailedOperator): CorpuscleError {
  const { location, path } = operator;
  if (error instanceof CorpuscleError) {
    if (!location || error.operators) return error;
    const call = operator.isBuiltIn ? undefined : callOf(error);
    if (call !== undefined) {
      const message = `operator ${path} failed: ${error.message} (${call})`;
      return new CorpuscleError(error.code, message, { location, cause: error });
    }
    if (error.location) return error;
    return new CorpuscleError(error.code, error.message, { location, cause: error });
  }
  const code = operator.isBuiltIn ? 'INTERNAL' : 'OPERATOR_FAILED';
  const places = placesOf(error);
  const place = places.find((one) => !isBuilt(one)) ?? places[0];
  const message = `operator ${path} failed: ${textOf(error)}${place ? ` (${place})` : ''}`;
  return new CorpuscleError(code, message, { ...(location ? { location } : {}), cause: error });
}

/** Where its author's code has made an error: what has a place of its own, such as in a file, says where it is to be mended. */
function callOf(error: CorpuscleError): string | undefined {
  if (isOfCaller(error))
    return placesOf(error)
      .slice(0, 1)
      .find((place) => !isBuilt(place));
  return error.location ? undefined : placesOf(error).find((place) => !isOurs(place));
}

const textOf = (error: unknown): string =>
  error instanceof Error ? `${error.name}: ${error.message}` : String(error);

const placesOf = (error: unknown): readonly string[] =>
  error instanceof Error ? placesIn(error.stack ?? '') : [];
