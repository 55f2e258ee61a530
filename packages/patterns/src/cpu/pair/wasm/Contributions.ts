import type { WriteOp } from '../../../functor/ir.js';
import type { LaneValue } from '../../../lower/wasm/BodyEnv.js';
import type { FunctionBuilder } from '../../../lower/wasm/FunctionBuilder.js';
import { i32x4, v128 } from '../../../lower/wasm/ops.js';
import type { WasmNode } from '../../../lower/wasm/WasmNode.js';
import type { PairOutput } from '../PairPlan.js';
import type { Lanes } from './Lanes.js';

/**
 * What one vector of pairs contributes to each output. Every write adds to a local that is cleared before; where the
 * first write turns out to stand in straight code, it sets the local instead.
 */
export class Contributions {
  readonly #f: FunctionBuilder;
  readonly #lanes: Lanes;
  readonly #locals: ReadonlyMap<string, number>;
  #first = new Map<string, { node: WasmNode; value: WasmNode }>();
  #clearing: WasmNode[] = [];
  #start = 0;

  constructor(f: FunctionBuilder, lanes: Lanes, outputs: readonly PairOutput[]) {
    this.#f = f;
    this.#lanes = lanes;
    this.#locals = new Map(outputs.map(({ field }) => [field, f.local('v128')]));
  }

  /** Starts a vector of pairs. */
  begin(): void {
    this.#first.clear();
    this.#clearing = [];
    this.#f.emit(['block', this.#f.label(), this.#clearing]); // filled by `finish`
    this.#start = this.#f.body.length;
  }

  add(field: string, op: WriteOp, value: LaneValue, mask: WasmNode | null): void {
    const local = this.#locals.get(field);
    if (local === undefined) throw new Error(`output ${field} was dropped`);
    const { v } = this.#lanes;
    const vector = value.uniform ? (value.vector ?? this.#lanes.splat(value.node)) : value.node;
    const masked = mask === null ? vector : v128.and(vector, mask);
    const old = this.#f.get(local);
    const sum = op === '-=' ? v.sub(old, masked) : v.add(old, masked);
    const node: WasmNode = ['local.set', local, sum];
    this.#f.emit(node);
    if (!this.#first.has(field)) {
      this.#first.set(field, { node, value: op === '-=' ? v.neg(masked) : masked });
    }
  }

  /** Ends a vector of pairs: now it is known which locals must be cleared at its start. */
  finish(): void {
    const code = this.#f.body.slice(this.#start);
    const straight = new Set<WasmNode>();
    if (!jumps(code)) collectStraight(code, straight);
    for (const [field, local] of this.#locals) {
      const first = this.#first.get(field);
      if (first && straight.has(first.node)) {
        (first.node as unknown as unknown[])[2] = first.value;
      } else this.#clearing.push(['local.set', local, i32x4.const(0)]);
    }
  }

  get(field: string): WasmNode {
    return this.#f.get(this.#locals.get(field)!);
  }
}

/** Whether anything jumps, so that code behind it may be skipped. */
function jumps(code: readonly WasmNode[]): boolean {
  return code.some((node) => {
    if (node[0] === 'br' || node[0] === 'br_if' || node[0] === 'return') return true;
    return node
      .slice(1)
      .some((part) => Array.isArray(part) && Array.isArray(part[0]) && jumps(part));
  });
}

/** Statements that run exactly once, in order: not in branches or loops. */
function collectStraight(code: readonly WasmNode[], found: Set<WasmNode>): void {
  for (const node of code) {
    found.add(node);
    if (node[0] === 'block') collectStraight(node[2] as readonly WasmNode[], found);
  }
}
