import type { RoleName, WriteOp } from '../../ir.js';

/**
 * How generated JavaScript reaches what lies outside the functor. Every method returns text; values handed in are
 * complete expressions that bind as tightly as needed. Names that generated code uses: locals end in `_<digits>`, hoisted
 * values are `u<digits>_`, helpers start with `h$`, labels are `functor`, `loop<digits>`, `body<digits>`: a scaffold
 * avoids those.
 */
export interface JavaScriptEnv {
  /** An expression: a scalar field or parameter. */
  read(role: RoleName, field: string): string;
  /** An expression: an element of a table or array; `index` is the text of an integer. */
  item(role: RoleName, field: string, index: string): string;
  /** A statement. `max` and `min` occur on role `acc`. */
  write(role: RoleName, field: string, op: WriteOp, value: string): string;
  /** A statement: writes an element of an array argument. */
  writeItem(
    role: RoleName,
    field: string,
    index: string,
    op: '=' | '+=' | '-=',
    value: string,
  ): string;
}

/** The text of a functor in JavaScript, in three parts that a scaffold puts into its loop. */
export interface LoweredJavaScript {
  /** Function declarations, for the top of the kernel. */
  readonly helpers: string;
  /** `const` declarations of what depends on parameters only: once per call, where `env.read('p', …)` is in scope. */
  readonly prologue: string;
  /** Statements; the scaffold wraps them in `functor: { … }`, which `break functor` leaves (early return). */
  readonly body: string;
}
