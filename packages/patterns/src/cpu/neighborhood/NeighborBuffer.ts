import type { ValueType, WriteOp } from '@corpuscle/functor/ir';
import { type FunctionBuilder, f32, f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import { at } from '../pair/wasm/walkEntry.js';
import { bufferArrays, type NeighborhoodPlan } from './NeighborhoodPlan.js';

/**
 * The buffer of a thread: arrays one after the other, each with room for a power of two. An index goes through a mask, so
 * that no functor reaches beyond them.
 */
export class NeighborBuffer {
  readonly #f: FunctionBuilder;
  readonly #real: 'f64' | 'f32';
  readonly #arrays = new Map<string, WasmNode>();
  readonly #mask: WasmNode;

  /** @param once keeps a value at the start of the function */
  constructor(
    f: FunctionBuilder,
    plan: NeighborhoodPlan,
    address: WasmNode,
    capacity: WasmNode,
    once: (value: WasmNode) => WasmNode,
  ) {
    this.#f = f;
    this.#real = plan.real;
    this.#mask = once(i32.sub(capacity, i32.const(1)));
    let place = address;
    for (const { name, bytes } of bufferArrays(plan)) {
      this.#arrays.set(name, place);
      place = once(at(place, capacity, bytes === 8 ? 3 : 2));
    }
  }

  /** Address of element k. */
  element(name: string, k: WasmNode, size: 4 | 8): WasmNode {
    return at(this.#arrays.get(name)!, i32.and(k, this.#mask), size === 8 ? 3 : 2);
  }

  load(name: string, type: ValueType, k: WasmNode): WasmNode {
    const ops = this.ops(type);
    return ops.load(this.element(name, k, ops === f64 ? 8 : 4));
  }

  put(name: string, type: ValueType, k: WasmNode, value: WasmNode): void {
    const ops = this.ops(type);
    this.#f.emit(ops.store(this.element(name, k, ops === f64 ? 8 : 4), value));
  }

  /** Changes a value that the functor keeps for a neighbor. */
  update(name: string, type: ValueType, k: WasmNode, op: WriteOp, value: WasmNode): void {
    const ops = this.ops(type);
    const old = op === '=' ? null : this.load(name, type, k);
    const next = old ? (op === '-=' ? ops.sub(old, value) : ops.add(old, value)) : value;
    this.put(name, type, k, next);
  }

  /** Instructions for values of a type: reals have the width of the functor. */
  ops(type: ValueType) {
    return type !== 'real' ? i32 : this.#real === 'f64' ? f64 : f32;
  }
}
