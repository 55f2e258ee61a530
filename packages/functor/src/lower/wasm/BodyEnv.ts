import type { RoleName, ValueType, WriteOp } from '../../ir.js';
import type { WasmNode } from './WasmNode.js';

/**
 * A value while a functor is being lowered.
 * - uniform (equal on all lanes): `node` is a scalar — f64 or f32 by the shape's `real`, i32 for i32 and u32, 0 or 1 for bool.
 * - varying: `node` is a v128 — reals fill it; ints lie in the low `lanes` i32 lanes; bools are masks as wide as `real`.
 *
 * In the one-lane form every value is uniform.
 */
export interface LaneValue {
  readonly uniform: boolean;
  readonly type: ValueType;
  readonly node: WasmNode;
  /** A uniform value that is also at hand as a vector (a local set before the loop): saves the splat in the loop. */
  readonly vector?: WasmNode;
}

/**
 * Where a functor's fields live: the scaffold around the body says how to read and write them. Nodes passed in may be used once;
 * `builder.keep` them to use them more often. Nodes returned should be cheap to repeat (reads of locals) or are kept by the lowering.
 */
export interface BodyEnv {
  /** Is the field (for tables: each element) equal on all lanes? Not asked in the one-lane form. */
  uniform(role: RoleName, field: string): boolean;
  /** The value of a field; of a neighbor, one value a lane. */
  field(role: RoleName, field: string): LaneValue;
  /** The square root of a field, where a scaffold has it at hand. */
  squareRoot?(role: RoleName, field: string): LaneValue | null;
  /** Whether `item` takes any index whatever, so that lanes that are off need not be set to 0. */
  readonly clamps?: boolean;
  /**
   * An element of a table or an array. A varying index is 0 on lanes that are switched off; others are what the functor
   * computed, so an environment that must not trap clamps them.
   */
  item(role: RoleName, field: string, index: LaneValue): LaneValue;
  /** `mask` null: all lanes (or real control flow in the one-lane form); else a v128 as wide as `real`, cheap to repeat. */
  write(role: RoleName, field: string, op: WriteOp, value: LaneValue, mask: WasmNode | null): void;
  /** Writes an element of an array; `mask` as in `write`. */
  writeItem(
    role: RoleName,
    field: string,
    index: LaneValue,
    op: '=' | '+=' | '-=',
    value: LaneValue,
    mask: WasmNode | null,
  ): void;
}

/** Width of a lowering: lanes 2 go with f64, 4 with f32, 1 with either. */
export interface LaneShape {
  readonly lanes: 1 | 2 | 4;
  readonly real: 'f64' | 'f32';
}
