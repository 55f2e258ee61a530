import {
  type FunctionBuilder,
  i8x16,
  i32,
  i32x4,
  type LaneValue,
  mentions,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';

/** Tables side by side in memory: rows of 2^shift numbers. */
export interface TableGroup {
  readonly address: WasmNode;
  /** The last row, on all lanes. */
  readonly lasts: WasmNode;
  readonly shift: number;
}

interface Rows {
  readonly body: readonly WasmNode[];
  readonly from: number;
  readonly locals: readonly number[];
  /** The address of each lane's row. */
  readonly addresses: readonly WasmNode[];
  /** Columns read so far, by number. */
  readonly columns: Map<number, WasmNode>;
}

/**
 * Gathers numbers from packed tables, one row a lane. Rows that were found for an index serve all reads at that index,
 * as long as the code runs straight on and no variable in the index changes; columns come two at a time.
 */
export class TableReads {
  readonly #f: FunctionBuilder;
  readonly #single: boolean;
  readonly #rows = new Map<string, Rows>();

  constructor(f: FunctionBuilder, real: 'f64' | 'f32') {
    this.#f = f;
    this.#single = real === 'f32';
  }

  read(name: string, group: TableGroup, column: number, index: LaneValue): WasmNode {
    const rows = this.#find(name, group, index.node);
    if (!rows.columns.has(column)) this.#load(rows, column & ~1);
    return rows.columns.get(column)!;
  }

  #find(name: string, { address, lasts, shift }: TableGroup, index: WasmNode): Rows {
    const f = this.#f;
    const key = `${name} ${JSON.stringify(index)}`;
    const known = this.#rows.get(key);
    if (known?.body === f.body) {
      const since = f.body.slice(known.from);
      const isSet = (local: number) => mentions(since, ['local.set', 'local.tee'], local);
      if (!known.locals.some(isSet)) return known;
    }
    const k = f.keep(i32x4.min_u(index, lasts), 'v128');
    const bytes = i32.const(shift + (this.#single ? 2 : 3));
    const lanes = this.#single ? [0, 1, 2, 3] : [0, 1];
    const addresses = lanes.map((lane) =>
      f.keep(i32.add(address, i32.shl(i32x4.extract(lane, k), bytes))),
    );
    const columns = new Map<number, WasmNode>();
    const rows = { body: f.body, from: f.body.length, locals: localsOf(index), addresses, columns };
    this.#rows.set(key, rows);
    return rows;
  }

  #load({ addresses, columns }: Rows, even: number): void {
    const f = this.#f;
    const at = (this.#single ? 4 : 8) * even;
    const two = (first: number): WasmNode =>
      f.keep(
        v128.load64Lane(1, addresses[first + 1]!, v128.load64_zero(addresses[first]!, at), at),
      );
    const [a, b] = this.#single
      ? [two(0), two(2)]
      : addresses.map((address) => f.keep(v128.load(address, at)));
    const [low, high] = this.#single
      ? [
          [0, 2, 4, 6],
          [1, 3, 5, 7],
        ]
      : [
          [0, 2],
          [1, 3],
        ];
    columns.set(even, f.keep(pick(low!, a!, b!)));
    columns.set(even + 1, f.keep(pick(high!, a!, b!)));
  }
}

/** Lanes of two vectors, as wide as there are few of them. */
function pick(lanes: readonly number[], a: WasmNode, b: WasmNode): WasmNode {
  const bytes = 16 / lanes.length;
  const pattern = lanes.flatMap((lane) =>
    Array.from({ length: bytes }, (_, byte) => lane * bytes + byte),
  );
  return i8x16.shuffle(pattern, a, b);
}

/** The locals that an expression reads. */
export function localsOf(node: WasmNode): number[] {
  if (node[0] === 'local.get') return [node[1] as number];
  return node.flatMap((part) =>
    Array.isArray(part) && typeof part[0] === 'string' ? localsOf(part as unknown as WasmNode) : [],
  );
}
