import type { WriteOp } from '@corpuscle/functor/ir';
import {
  type FunctionBuilder,
  i32x4,
  type LaneValue,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { PairOutput } from '../PairPlan.js';
import type { Lanes } from './Lanes.js';

/** A write that was emitted: `node` sets the local, `value` is what it adds, on the lanes of `mask`. */
interface Write {
  readonly node: unknown[];
  readonly field: string;
  readonly op: WriteOp;
  readonly value: WasmNode;
  readonly mask: WasmNode | null;
}

/** Outputs that are one factor times the components of d, as central forces are: `i.fx += f * d.x` and so on. */
export interface Central {
  /** The factor, zero on lanes that are off. */
  readonly factor: WasmNode;
  /** Fields along x, y and z. */
  readonly fields: readonly [string, string, string];
}

/**
 * What one vector of pairs contributes to each output. Every write adds to a local that is cleared before; where the
 * first write turns out to stand in straight code, it sets the local instead. Central forces are recognized: their
 * factor is masked once, and scaffolds may multiply it with differences in another layout.
 */
export class Contributions {
  readonly #f: FunctionBuilder;
  readonly #lanes: Lanes;
  readonly #locals: ReadonlyMap<string, number>;
  readonly #factor: number;
  #writes: Write[] = [];
  #clearing: WasmNode[] = [];
  #start = 0;

  constructor(f: FunctionBuilder, lanes: Lanes, outputs: readonly PairOutput[]) {
    this.#f = f;
    this.#lanes = lanes;
    this.#locals = new Map(
      outputs.map(({ field }) => [field, f.called(f.local('v128'), `give.${field}`)]),
    );
    this.#factor = f.called(f.local('v128'), 'factor');
  }

  /** Starts a vector of pairs. */
  begin(): void {
    this.#writes = [];
    this.#clearing = [];
    this.#f.emit(['block', this.#f.label(), this.#clearing]); // filled by `finish`
    this.#start = this.#f.body.length;
  }

  add(field: string, op: WriteOp, value: LaneValue, mask: WasmNode | null): void {
    const local = this.#locals.get(field);
    if (local === undefined) throw new Error(`output ${field} was dropped`);
    const vector = value.uniform ? (value.vector ?? this.#lanes.splat(value.node)) : value.node;
    const old = this.#f.get(local);
    const sum = this.#combine(op, old, masked(vector, mask));
    const node: WasmNode = ['local.set', local, sum];
    this.#f.emit(node);
    this.#writes.push({ node: node as unknown as unknown[], field, op, value: vector, mask });
  }

  /**
   * Ends a vector of pairs, now that all writes are known. With `rows`, a central force found is left to the caller;
   * otherwise its contributions are set here.
   */
  finish(
    d: readonly WasmNode[],
    triple: readonly [string, string, string] | null,
    rows: boolean,
  ): Central | null {
    const code = this.#f.body.slice(this.#start);
    const straight: WasmNode[] = [];
    if (!jumps(code)) collectStraight(code, straight);
    const central = triple && this.#central(d, triple, straight);
    const done = new Set<string>(central?.fields);
    const inPlace = new Set<unknown>(straight);
    for (const [field, local] of this.#locals) {
      if (done.has(field)) continue;
      const first = this.#writes.find((write) => write.field === field);
      if (first && inPlace.has(first.node)) {
        const value = masked(first.value, first.mask);
        first.node[2] = first.op === '-=' ? this.#lanes.v.neg(value) : value;
      } else this.#clearing.push(['local.set', local, i32x4.const(0)]);
    }
    if (!central || rows) return central;
    central.fields.forEach((field, k) => {
      this.#f.set(this.#locals.get(field)!, this.#lanes.v.mul(central.factor, d[k]!));
    });
    return central;
  }

  get(field: string): WasmNode {
    return this.#f.get(this.#locals.get(field)!);
  }

  // Each of the three fields has one write `+= factor * d.c`, the same factor and mask, unchanged in between.
  #central(
    d: readonly WasmNode[],
    fields: readonly [string, string, string],
    straight: readonly WasmNode[],
  ): Central | null {
    const writes = fields.map((field) => this.#writes.filter((write) => write.field === field));
    if (writes.some((list) => list.length !== 1)) return null;
    const [x, y, z] = writes.map((list) => list[0]!) as [Write, Write, Write];
    const factors = [x, y, z].map((write, k) =>
      write.op === '+=' ? factorOf(write.value, d[k]!, this.#lanes.real) : null,
    );
    const [factor] = factors;
    if (!factor || factors.some((other) => !other || !isSameLocal(other, factor))) return null;
    const masks = [x, y, z].map((write) => write.mask);
    if (!masks.every((mask) => (mask && x.mask ? isSameLocal(mask, x.mask) : mask === x.mask)))
      return null;
    const places = [x, y, z].map((write) => straight.indexOf(write.node as unknown as WasmNode));
    if (Math.min(...places) < 0) return null;
    const between = straight.slice(Math.min(...places), Math.max(...places));
    const locals = [factor, x.mask].flatMap((node) => (node ? [node[1] as number] : []));
    if (between.some((node) => assigns(node, locals))) return null;
    const order = [x, y, z].sort(
      (a, b) => straight.indexOf(a.node as never) - straight.indexOf(b.node as never),
    );
    order[0]!.node.splice(0, 3, 'local.set', this.#factor, masked(factor, x.mask));
    for (const write of order.slice(1)) write.node.splice(0, 3, 'nop');
    return { factor: this.#f.get(this.#factor), fields };
  }

  #combine(op: WriteOp, old: WasmNode, value: WasmNode): WasmNode {
    return op === '-=' ? this.#lanes.v.sub(old, value) : this.#lanes.v.add(old, value);
  }
}

const masked = (value: WasmNode, mask: WasmNode | null): WasmNode =>
  mask === null ? value : v128.and(value, mask);

/** The other operand when a value is a product with a component of d, both at hand in locals. */
function factorOf(value: WasmNode, d: WasmNode, real: 'f64' | 'f32'): WasmNode | null {
  if (value[0] !== (real === 'f64' ? 'f64x2.mul' : 'f32x4.mul')) return null;
  const [left, right] = [value[1] as WasmNode, value[2] as WasmNode];
  if (left[0] !== 'local.get' || right[0] !== 'local.get') return null;
  return isSameLocal(right, d) ? left : isSameLocal(left, d) ? right : null;
}

const isSameLocal = (a: WasmNode, b: WasmNode): boolean =>
  a[0] === 'local.get' && b[0] === 'local.get' && a[1] === b[1];

/** Whether a statement sets one of the locals, at any depth. */
function assigns(node: WasmNode, locals: readonly number[]): boolean {
  if ((node[0] === 'local.set' || node[0] === 'local.tee') && locals.includes(node[1] as number))
    return true;
  return childrenOf(node).some((child) => assigns(child, locals));
}

function childrenOf(node: WasmNode): WasmNode[] {
  return node.slice(1).flatMap((part) => {
    if (!Array.isArray(part)) return [];
    return typeof part[0] === 'string' ? [part as unknown as WasmNode] : (part as WasmNode[]);
  });
}

/** Whether anything jumps, so that code after it may be skipped. */
const jumps = (code: readonly WasmNode[]): boolean =>
  code.some((node) => ['br', 'br_if', 'return'].includes(node[0]) || jumps(childrenOf(node)));

/** Statements that run exactly once, in order: not in branches or loops. */
function collectStraight(code: readonly WasmNode[], found: WasmNode[]): void {
  for (const node of code) {
    found.push(node);
    if (node[0] === 'block') collectStraight(node[2] as readonly WasmNode[], found);
  }
}
