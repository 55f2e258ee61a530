import type { CompareOp, Expr, MathName, WriteOp } from '../../../ir.js';
import type { Support } from '../Support.js';

/** How expressions of type `real` become WGSL: one object for each precision; only these know the difference. */
export interface RealText {
  readonly name: 'f32' | 'f64';
  readonly type: 'f32' | 'vec2f';
  /** Type of the argument `d` of a pair functor: (x, y, z, r2), or two such columns, high and low parts. */
  readonly vector: 'vec4f' | 'mat2x4f';
  /** The text of a constant. */
  literal(value: number, support: Support): string;
  /** A component of `d`. */
  component(field: string): string;
  /** The text of an operation on two reals. @param text that of its operands */
  binary(
    e: Extract<Expr, { kind: 'binary' }>,
    text: (operand: Expr) => string,
    support: Support,
  ): string;
  /** The text of a comparison; its type is bool. */
  compare(op: CompareOp, left: string, right: string): string;
  /** A truth value: is it NaN, is it finite? By its bits, which compilers leave alone. */
  test(name: 'isNaN' | 'isFinite', value: string, support: Support): string;
  /** Any function but `pow` with a literal exponent. */
  math(name: MathName, args: readonly string[], support: Support): string;
  /** A whole power, |n| ≤ 64. */
  power(x: string, n: number, support: Support): string;
  /** The text that makes an integer or a truth value a real. */
  fromInt(type: 'i32' | 'u32' | 'bool', value: string): string;
  /** Truncating, saturating. */
  toInt(type: 'i32' | 'u32', value: string): string;
  /** A statement that changes a real variable or member. */
  update(target: string, op: WriteOp, value: string): string;
  /** The same for a sum of many terms that the caller of the functor settles (`WgslEnv.gathered`). */
  gather(target: string, op: '+=' | '-=', value: Expr, text: (e: Expr) => string): string;
}
