import { suggestionIn } from './suggestion.js';

/** Everything that can go wrong, as a closed union: tests and callers match on the code, people read the message. */
export type ErrorCode =
  // input (exit code 2)
  | 'SYNTAX'
  | 'UNKNOWN_KEY'
  | 'UNKNOWN_OPERATOR'
  | 'UNKNOWN_TYPE'
  | 'UNKNOWN_UNIT'
  | 'WRONG_DIMENSION'
  | 'WRONG_TYPE'
  | 'MISSING_VALUE'
  | 'INVALID_VALUE'
  | 'MISSING_PAIR'
  | 'FILE_NOT_FOUND'
  | 'FILE_FORMAT'
  | 'UNWRITABLE'
  | 'CHECKPOINT_MISMATCH'
  | 'NO_PARTICLES'
  | 'BOX_TOO_THIN'
  | 'OVERLAP'
  // functors
  | 'FUNCTOR_SYNTAX'
  | 'FUNCTOR_TYPE'
  | 'FUNCTOR_UNSUPPORTED'
  | 'FUNCTOR_NAME'
  // run (exit code 1)
  | 'BOND_TOO_LONG'
  | 'NO_ADAPTER'
  | 'NO_MPI'
  | 'DEVICE_LOST'
  | 'THREAD_LOST'
  | 'DEVICE_VALIDATION'
  | 'OUT_OF_MEMORY'
  | 'UNKNOWN_FIELD'
  | 'NO_NEIGHBOR_LISTS'
  | 'NOT_SORTED'
  | 'INDEX_OUT_OF_RANGE'
  | 'BACKEND_UNAVAILABLE'
  | 'NOT_FINITE'
  | 'OUTPUT_FAILED'
  | 'KERNEL_FAILED'
  | 'CLOSED'
  | 'OPERATOR_FAILED'
  | 'CHECK_FAILED'
  | 'INTERNAL';

/** A place in a text the user wrote. Lines and columns count from 1. */
export interface SourceLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The offending lines with a caret, ready to print. */
  readonly frame?: string;
}

/**
 * The one error class of Corpuscle. The message says what is wrong, with which value, and what to do.
 *
 * @example
 * throw new CorpuscleError('BOX_TOO_THIN', 'rcut 3 exceeds half the box (2.5 along x): enlarge the box or lower rcut');
 */
export class CorpuscleError extends Error {
  override readonly name = 'CorpuscleError';
  readonly code: ErrorCode;
  declare readonly location?: SourceLocation;
  /** The name that is meant in place of an unknown one, where there is one that is near. */
  declare readonly suggestion?: string;
  /** Operators of a simulation that have made it, where it came after their calls: a run finds their place. @internal */
  declare readonly operators?: readonly string[];
  /** Further mistakes of the same input, in the order of its text. */
  readonly more: readonly CorpuscleError[];

  constructor(
    code: ErrorCode,
    message: string,
    options: {
      location?: SourceLocation;
      cause?: unknown;
      more?: readonly CorpuscleError[];
      operators?: readonly string[];
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.more = options.more ?? [];
    if (options.location) this.location = options.location;
    if (options.operators) this.operators = options.operators;
    const suggestion = suggestionIn(message);
    if (suggestion !== undefined) this.suggestion = suggestion;
  }
}
