import type { WriteOp } from '@corpuscle/functor/ir';
import {
  type FunctionBuilder,
  type LaneValue,
  mentions,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { Lanes } from './Lanes.js';

/** A factor under a mask, good until the factor changes or the block of code ends. */
interface Masked {
  readonly body: readonly WasmNode[];
  readonly from: number;
  readonly node: WasmNode;
}

/**
 * Outputs that only the central particle gets, such as a virial: they are summed where they are written. Of a product with
 * a component of d the other factor is masked, once for all products it is in, and multiply and add can be fused: off
 * lanes add 0 · d, and d is finite in every lane.
 */
export class CentralSums {
  readonly #f: FunctionBuilder;
  readonly #lanes: Lanes;
  readonly #sums: ReadonlyMap<string, number>;
  readonly #d: readonly number[];
  readonly #relaxed: boolean;
  readonly #masked = new Map<string, Masked>();

  /** @param d locals that hold the components of d. */
  constructor(
    f: FunctionBuilder,
    lanes: Lanes,
    sums: ReadonlyMap<string, number>,
    options: { readonly d: readonly number[]; readonly relaxed: boolean },
  ) {
    this.#f = f;
    this.#lanes = lanes;
    this.#sums = sums;
    this.#d = options.d;
    this.#relaxed = options.relaxed;
  }

  add(field: string, op: WriteOp, value: LaneValue, mask: WasmNode | null): void {
    const { v } = this.#lanes;
    const local = this.#sums.get(field)!;
    const sum = this.#f.get(local);
    const vector = value.uniform ? (value.vector ?? this.#lanes.splat(value.node)) : value.node;
    const product = mask && this.#product(vector);
    if (!product) {
      const change = mask ? v128.and(vector, mask) : vector;
      this.#f.set(local, op === '-=' ? v.sub(sum, change) : v.add(sum, change));
      return;
    }
    const [factor, d] = product;
    const on = this.#under(factor, mask);
    if (this.#relaxed) {
      const fused = op === '-=' ? v.relaxed_nmadd(on, d, sum) : v.relaxed_madd(on, d, sum);
      this.#f.set(local, fused);
    } else this.#f.set(local, v[op === '-=' ? 'sub' : 'add'](sum, v.mul(on, d)));
  }

  /** The factors of a product with a component of d. */
  #product(node: WasmNode): readonly [WasmNode, WasmNode] | null {
    if (node[0] !== `${this.#lanes.real}x${this.#lanes.count}.mul`) return null;
    const [a, b] = [node[1] as WasmNode, node[2] as WasmNode];
    if (a[0] !== 'local.get' || b[0] !== 'local.get') return null;
    const isD = (side: WasmNode) => this.#d.includes(side[1] as number);
    if (isD(b)) return [a, b];
    return isD(a) ? [b, a] : null;
  }

  #under(factor: WasmNode, mask: WasmNode): WasmNode {
    const { body } = this.#f;
    const key = `${factor[1]} ${JSON.stringify(mask)}`;
    const known = this.#masked.get(key);
    const isGood =
      known?.body === body &&
      !mentions(body.slice(known.from), ['local.set', 'local.tee'], factor[1] as number);
    if (isGood) return known.node;
    const node = this.#f.keep(v128.and(factor, mask), 'v128');
    this.#masked.set(key, { body, from: body.length, node });
    return node;
  }
}
