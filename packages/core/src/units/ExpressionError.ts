import type { ErrorCode } from '@corpuscle/functor/error';

/** A mistake in an expression, with the place of it in the text. */
export class ExpressionError extends Error {
  readonly code: ErrorCode;
  readonly offset: number;
  constructor(code: ErrorCode, message: string, offset: number) {
    super(message);
    this.code = code;
    this.offset = offset;
  }
}
