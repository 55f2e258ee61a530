import { type FunctionBuilder, i32, v128, type WasmNode } from '@corpuscle/functor/wasm';
import { BUFFER_LENGTH, SCRATCH_VECTORS, SLOT_BYTES, scratchSlots } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';

/**
 * What one stage of a run leaves for the next: named rows of vectors in the thread's scratch memory.
 *
 *   packed indices | x x x … | y y y … | z … | r2 … | factor … |       one vector for two (four) neighbors
 */
export class StageScratch {
  readonly #f: FunctionBuilder;
  readonly #start: WasmNode;
  readonly #cursor: number;
  readonly #most: number;
  readonly #slots = new Map<string, number>();

  constructor(f: FunctionBuilder, scratch: WasmNode, plan: PairPlan) {
    this.#f = f;
    this.#start = f.named('vectors', i32.add(scratch, i32.const(INDEX_BYTES)));
    this.#cursor = f.called(f.local('i32'), 'vector');
    this.#most = scratchSlots(plan);
  }

  /** Names that were asked for so far. */
  get names(): ReadonlySet<string> {
    return new Set(this.#slots.keys());
  }

  /** Where the cursor stands: before the first vector not worked on. */
  get position(): WasmNode {
    return this.#f.get(this.#cursor);
  }

  /** After the last vector that there is room for. */
  get limit(): WasmNode {
    return i32.add(this.#start, i32.const(16 * SCRATCH_VECTORS));
  }

  rewind(): void {
    this.#f.set(this.#cursor, this.#start);
  }

  advance(vectors: number): void {
    this.#f.increment(this.#cursor, 16 * vectors);
  }

  /** Vector number `k` from the cursor on. */
  load(name: string, k: number): WasmNode {
    return v128.load(this.position, this.#offset(name) + 16 * k);
  }

  store(name: string, k: number, value: WasmNode): void {
    this.#f.emit(v128.store(this.position, value, this.#offset(name) + 16 * k));
  }

  #offset(name: string): number {
    let slot = this.#slots.get(name);
    if (slot === undefined) {
      slot = this.#slots.size;
      if (slot === this.#most) throw new Error(`no scratch memory for '${name}'`);
      this.#slots.set(name, slot);
    }
    return slot * SLOT_BYTES;
  }
}

/** Room for the indices that the buffered form packs, and for one vector after. */
const INDEX_BYTES = 4 * (BUFFER_LENGTH + 16);
