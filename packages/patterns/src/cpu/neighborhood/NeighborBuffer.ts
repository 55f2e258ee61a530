import type { ValueType, WriteOp } from '@corpuscle/functor/ir';
import {
  type FunctionBuilder,
  i32,
  i32x4,
  type LaneValue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { type Kind, type LaneParts, scalars } from '../kernels/LaneParts.js';
import { at } from '../pair/wasm/walkEntry.js';
import { bufferArrays, type NeighborhoodPlan } from './NeighborhoodPlan.js';

/** What an array of the buffer holds: its values have a type, and a kind in which they are kept. */
interface Kept {
  readonly name: string;
  readonly type: ValueType;
  readonly kind: Kind;
}

/**
 * The buffer of a thread: arrays one after the other, each with room for a power of two of neighbors, and for each of these
 * one number a lane. An index goes through a mask, so that no functor reaches beyond them.
 */
export class NeighborBuffer {
  readonly #f: FunctionBuilder;
  readonly #parts: LaneParts;
  readonly #arrays = new Map<string, WasmNode>();
  readonly #mask: WasmNode;

  /** @param once keeps a value at the start of the function */
  constructor(
    f: FunctionBuilder,
    parts: LaneParts,
    plan: NeighborhoodPlan,
    address: WasmNode,
    capacity: WasmNode,
    once: (value: WasmNode) => WasmNode,
  ) {
    this.#f = f;
    this.#parts = parts;
    this.#mask = once(i32.sub(capacity, i32.const(1)));
    let place = address;
    for (const { name, bytes } of bufferArrays(plan)) {
      this.#arrays.set(name, place);
      place = once(at(place, capacity, this.#shift(bytes)));
    }
  }

  /** Address of the numbers of neighbor k, or of that of one lane. */
  element(name: string, kind: Kind, k: WasmNode, lane = 0): WasmNode {
    const bytes = kind === 'f64' ? 8 : 4;
    const place = at(this.#arrays.get(name)!, i32.and(k, this.#mask), this.#shift(bytes));
    return lane === 0 ? place : i32.add(place, i32.const(lane * bytes));
  }

  /** Packs a number of one lane. */
  put(name: string, kind: Kind, k: WasmNode, lane: number, value: WasmNode): void {
    this.#f.emit(scalars[kind].store(this.element(name, kind, k, lane), value));
  }

  /** Reads a number of one lane. */
  get(name: string, kind: Kind, k: WasmNode, lane: number): WasmNode {
    return scalars[kind].load(this.element(name, kind, k, lane));
  }

  /** A value of neighbor `index`, which may be another one on each lane. */
  read({ name, type, kind }: Kept, index: LaneValue): LaneValue {
    const parts = this.#parts;
    if (index.uniform) {
      return parts.value(type, kind, parts.load(kind, this.element(name, kind, index.node)));
    }
    const k = this.#f.keep(index.node, 'v128');
    const each = Array.from({ length: parts.count }, (_, lane) =>
      this.get(name, kind, i32x4.extract(lane, k), lane),
    );
    return parts.value(type, kind, parts.joined(kind, each));
  }

  /** Changes a value of neighbor `index`; `mask` as in `BodyEnv.write`. */
  write(
    { name, kind }: Kept,
    index: LaneValue,
    op: WriteOp,
    value: LaneValue,
    mask: WasmNode | null,
  ): void {
    const parts = this.#parts;
    if (index.uniform) {
      const to = this.#f.keep(this.element(name, kind, index.node));
      const isWhole = op === '=' && mask === null;
      const old = isWhole ? [] : parts.keep(parts.load(kind, to));
      parts.store(kind, to, parts.changed(kind, op, old, value, mask));
      return;
    }
    const k = this.#f.keep(index.node, 'v128');
    const to = Array.from({ length: parts.count }, (_, lane) =>
      this.#f.keep(this.element(name, kind, i32x4.extract(lane, k), lane)),
    );
    const old = parts.keep(
      parts.joined(
        kind,
        to.map((address) => scalars[kind].load(address)),
      ),
    );
    const next = parts.keep(parts.changed(kind, op, old, value, mask));
    for (const [lane, address] of to.entries())
      this.#f.emit(scalars[kind].store(address, parts.lane(kind, next, lane)));
  }

  /** log2 of the bytes of one number for all lanes. */
  #shift(bytes: 4 | 8): number {
    return Math.log2(bytes * this.#parts.count);
  }
}
