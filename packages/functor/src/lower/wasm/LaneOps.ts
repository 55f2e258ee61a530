import type { ValueType } from '../../ir.js';
import type { LaneShape, LaneValue } from './BodyEnv.js';
import type { FunctionBuilder } from './FunctionBuilder.js';
import { f32x4, f64x2, i8x16, i32, i32x4, i64, i64x2, v128 } from './ops.js';
import type { WasmNode, WasmType } from './WasmNode.js';

/** Low halves of 64-bit lanes to i32 lanes 0 and 1 (repeated in 2 and 3). */
const LOW_WORDS = [0, 1, 2, 3, 8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11];

/** Conversions between scalars, vectors and masks for one shape of lanes. */
export class LaneOps {
  readonly builder: FunctionBuilder;
  readonly lanes: 1 | 2 | 4;
  readonly real: 'f64' | 'f32';
  /** Lane arithmetic of reals. In the one-lane form it serves values that are splatted, computed and extracted. */
  readonly F: typeof f64x2 | typeof f32x4;
  /** A mask with all lanes on. */
  readonly all: WasmNode = i32x4.const(-1);
  readonly none: WasmNode = i32x4.const(0);

  constructor(builder: FunctionBuilder, { lanes, real }: LaneShape) {
    if (lanes !== 1 && lanes !== (real === 'f64' ? 2 : 4)) {
      throw new Error(
        `${lanes} lanes of ${real} do not fill a vector: use 2 of f64, 4 of f32, or 1`,
      );
    }
    this.builder = builder;
    this.lanes = lanes;
    this.real = real;
    this.F = real === 'f64' ? f64x2 : f32x4;
  }

  /** The type of a value of one lane. */
  scalarType(type: ValueType): WasmType {
    return type === 'real' ? this.real : 'i32';
  }

  /** The type of a local that holds such a value. */
  localType(type: ValueType, uniform: boolean): WasmType {
    return uniform ? this.scalarType(type) : 'v128';
  }

  /** A value that is the same in all lanes, as a scalar. */
  uniform(type: ValueType, node: WasmNode): LaneValue {
    return { uniform: true, type, node };
  }

  /** A value of each lane, as a vector. */
  varying(type: ValueType, node: WasmNode): LaneValue {
    return { uniform: false, type, node };
  }

  /** A value with a node that is cheap to repeat. */
  keep(value: LaneValue): LaneValue {
    return { ...value, node: this.builder.keep(value.node) };
  }

  /** A value as a vector; bools become masks. */
  vector(value: LaneValue): WasmNode {
    if (!value.uniform) return value.node;
    if (value.vector) return value.vector;
    const [op, constant] = value.node;
    const known = op.endsWith('.const') ? (constant as number) : null;
    switch (value.type) {
      case 'real':
        return known === null ? this.F.splat(value.node) : this.F.const(known);
      case 'bool':
        if (known !== null) return known ? this.all : this.none;
        return this.real === 'f64'
          ? i64x2.splat(i64.extend_i32_s(i32.sub(i32.const(0), value.node)))
          : i32x4.splat(i32.sub(i32.const(0), value.node));
      default:
        return known === null ? i32x4.splat(value.node) : i32x4.const(known);
    }
  }

  /** Keeps a uniform value as a scalar and as a vector, for use in a loop that follows. */
  keepBoth(value: LaneValue): LaneValue {
    const kept = this.keep(value);
    if (!value.uniform || this.lanes === 1) return kept;
    return { ...kept, vector: this.builder.keep(this.vector(kept), 'v128') };
  }

  /** A mask as wide as reals → one for i32 lanes. */
  intMask(mask: WasmNode): WasmNode {
    if (this.real === 'f32') return mask;
    const m = this.builder.keep(mask, 'v128');
    return i8x16.shuffle(LOW_WORDS, m, m);
  }

  /** A mask of i32 lanes → one as wide as reals. */
  realMask(mask: WasmNode): WasmNode {
    return this.real === 'f32' ? mask : i64x2.extend_low_i32x4_s(mask);
  }

  /** The mask that selects between values of this type. */
  maskFor(type: ValueType, mask: WasmNode): WasmNode {
    return type === 'i32' || type === 'u32' ? this.intMask(mask) : mask;
  }

  /** `mask ? then : otherwise` per lane. */
  blend(type: ValueType, then: WasmNode, otherwise: WasmNode, mask: WasmNode): WasmNode {
    return v128.bitselect(then, otherwise, this.maskFor(type, mask));
  }

  /** Lane `k` as a scalar; a bool as any non-zero number. */
  extract(type: ValueType, k: number, vector: WasmNode): WasmNode {
    if (type === 'real') return this.F.extract(k, vector);
    return i32x4.extract(type === 'bool' && this.real === 'f64' ? 2 * k : k, vector);
  }

  /** A vector with another value in lane `k`. */
  replace(type: ValueType, k: number, vector: WasmNode, scalar: WasmNode): WasmNode {
    return type === 'real' ? this.F.replace(k, vector, scalar) : i32x4.replace(k, vector, scalar);
  }

  /** Applies a scalar computation lane by lane. */
  perLane(
    type: ValueType,
    args: readonly LaneValue[],
    compute: (...scalars: readonly WasmNode[]) => WasmNode,
  ): WasmNode {
    const vectors = args.map((a) => this.builder.keep(this.vector(a), 'v128'));
    let result: WasmNode = this.none;
    for (let k = 0; k < this.lanes; k++) {
      const scalars = vectors.map((v, n) => this.extract(args[n]?.type ?? type, k, v));
      result = this.replace(type, k, result, compute(...scalars));
    }
    return result;
  }
}
