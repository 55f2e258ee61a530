import type { ValueType, WriteOp } from '@corpuscle/functor/ir';
import {
  type FunctionBuilder,
  f32,
  f32x4,
  f64,
  f64x2,
  i8x16,
  i32,
  i32x4,
  i64x2,
  LaneOps,
  type LaneShape,
  type LaneValue,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';

/** How a number is kept: reals of sums in 64 bits, others in the width of the functor. */
export type Kind = 'f64' | 'f32' | 'i32';

/** Instructions on one number of a kind. */
export const scalars = { f64, f32, i32 } as const;
const vectors = { f64: f64x2, f32: f32x4, i32: i32x4 } as const;

/** Upper two of four singles, in the place of the lower two. */
const upperPair = [8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15];
/** The first two singles of each of two vectors. */
const firstPairs = [0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23];

/**
 * One number for each lane, in parts: a scalar where there is one lane, else a vector, and two vectors for four lanes of 64 bits.
 * In memory the numbers of all lanes lie side by side.
 */
export class LaneParts {
  readonly #f: FunctionBuilder;
  readonly #ops: LaneOps;
  readonly count: 1 | 2 | 4;
  readonly #real: 'f64' | 'f32';

  constructor(f: FunctionBuilder, shape: LaneShape) {
    this.#f = f;
    this.#ops = new LaneOps(f, shape);
    this.count = shape.lanes;
    this.#real = shape.real;
  }

  /** How values of a type are kept in the functor's width. */
  own(type: ValueType): Kind {
    return type === 'real' ? this.#real : 'i32';
  }

  /** How sums of a type are kept. */
  sum(type: ValueType): Kind {
    return type === 'real' ? 'f64' : 'i32';
  }

  /** Locals for one number a lane. */
  locals(kind: Kind): number[] {
    return this.#parts(kind, () => this.#f.local(this.count === 1 ? kind : 'v128'));
  }

  get(locals: readonly number[]): WasmNode[] {
    return locals.map((local) => this.#f.get(local));
  }

  set(locals: readonly number[], parts: readonly WasmNode[]): void {
    for (const [k, local] of locals.entries()) this.#f.set(local, parts[k]!);
  }

  keep(parts: readonly WasmNode[]): WasmNode[] {
    return parts.map((part) => this.#f.keep(part));
  }

  zero(kind: Kind): WasmNode[] {
    return this.#parts(kind, () => (this.count === 1 ? scalars[kind].const(0) : i32x4.const(0)));
  }

  /** A value of the functor, as it is kept. */
  of(kind: Kind, value: LaneValue): WasmNode[] {
    if (this.count === 1) {
      const isPromoted = kind === 'f64' && this.#real === 'f32';
      return [isPromoted ? f64.promote_f32(value.node) : value.node];
    }
    const vector = this.#ops.vector(value);
    if (kind !== 'f64' || this.count === 2) return [vector];
    const kept = this.#f.keep(vector, 'v128');
    const upper = i8x16.shuffle(upperPair, kept, kept);
    return [f64x2.promote_low_f32x4(kept), f64x2.promote_low_f32x4(upper)];
  }

  /** What is kept, as a value of the functor. */
  value(type: ValueType, kind: Kind, parts: readonly WasmNode[]): LaneValue {
    const [first, second] = parts as [WasmNode, WasmNode | undefined];
    if (this.count === 1) {
      const isDemoted = kind === 'f64' && this.#real === 'f32';
      const node = isDemoted ? f32.demote_f64(first) : first;
      return { uniform: true, type, node: this.#f.keep(node) };
    }
    const node = second
      ? i8x16.shuffle(firstPairs, f32x4.demote_f64x2_zero(first), f32x4.demote_f64x2_zero(second))
      : first;
    return { uniform: false, type, node: this.#f.keep(node, 'v128') };
  }

  /** One scalar a lane, put together. */
  joined(kind: Kind, each: readonly WasmNode[]): WasmNode[] {
    if (this.count === 1) return [each[0]!];
    const perPart = kind === 'f64' ? 2 : this.count;
    const parts: WasmNode[] = [];
    for (let begin = 0; begin < each.length; begin += perPart) {
      let part = vectors[kind].splat(each[begin]!);
      for (let lane = 1; lane < perPart; lane++)
        part = vectors[kind].replace(lane, part, each[begin + lane]!);
      parts.push(part);
    }
    return parts;
  }

  /** The number of one lane. */
  lane(kind: Kind, parts: readonly WasmNode[], lane: number): WasmNode {
    if (this.count === 1) return parts[0]!;
    const perPart = kind === 'f64' ? 2 : 4;
    return vectors[kind].extract(lane % perPart, parts[Math.floor(lane / perPart)]!);
  }

  /** What is kept after a write; `mask` as in `BodyEnv.write`. */
  changed(
    kind: Kind,
    op: WriteOp,
    old: readonly WasmNode[],
    value: LaneValue,
    mask: WasmNode | null,
  ): WasmNode[] {
    const ops = this.count === 1 ? scalars[kind] : vectors[kind];
    const masks = mask === null ? null : this.#masks(kind, mask);
    return this.of(kind, value).map((part, k) => {
      const next =
        op === '=' ? part : op === '-=' ? ops.sub(old[k]!, part) : ops.add(old[k]!, part);
      return masks ? v128.bitselect(next, old[k]!, masks[k]!) : next;
    });
  }

  /** The lanes on which `k` is below a number of their own; null for one lane, of which nothing is asked. */
  below(k: WasmNode, ends: readonly WasmNode[]): WasmNode | null {
    if (this.count === 1) return null;
    const all = this.joined('i32', ends)[0]!;
    return this.#f.keep(this.#ops.realMask(i32x4.lt_s(i32x4.splat(k), all)), 'v128');
  }

  load(kind: Kind, address: WasmNode): WasmNode[] {
    if (this.count === 1) return [scalars[kind].load(address)];
    if (this.count === 2 && kind === 'i32') return [v128.load64_zero(address)];
    if (this.count === 2 || kind !== 'f64') return [v128.load(address)];
    return [v128.load(address), v128.load(address, 16)];
  }

  store(kind: Kind, address: WasmNode, parts: readonly WasmNode[]): void {
    const [first, second] = parts as [WasmNode, WasmNode | undefined];
    if (this.count === 1) this.#f.emit(scalars[kind].store(address, first));
    else if (this.count === 2 && kind === 'i32') this.#f.emit(v128.store64Lane(0, address, first));
    else this.#f.emit(v128.store(address, first));
    if (second) this.#f.emit(v128.store(address, second, 16));
  }

  /** One of something for each part. */
  #parts<T>(kind: Kind, make: () => T): T[] {
    return Array.from({ length: this.count === 4 && kind === 'f64' ? 2 : 1 }, make);
  }

  /** A mask for each part. */
  #masks(kind: Kind, mask: WasmNode): WasmNode[] {
    if (kind === 'i32') return [this.#ops.intMask(mask)];
    if (this.count === 2 || kind === 'f32') return [mask];
    return [i64x2.extend_low_i32x4_s(mask), i64x2.extend_high_i32x4_s(mask)];
  }
}
