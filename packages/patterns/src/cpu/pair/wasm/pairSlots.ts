import {
  type BodyEnv,
  type FunctionBuilder,
  f32,
  f32x4,
  f64,
  f64x2,
  i32,
  i32x4,
  type LaneValue,
  select,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { ArgumentLayout, SlotType } from '../../Kernel.js';
import { loadSlot } from '../../kernels/wasmParameters.js';
import type { PairPlan } from '../PairPlan.js';
import { type TableGroup, TableReads } from './TableReads.js';

/** Names of the slots of a pair kernel's argument record. */
export const slotNames = {
  positions: 'positions',
  cutoff2: 'cutoff2',
  /** 27 rows of four numbers: the shift of each image. */
  shifts: 'shifts',
  threads: 'threads',
  /** Length of a unit of fixed-point positions. */
  unit: 'unit',
  /** Swizzles that compress the lanes of a mask. */
  compress: 'compress',
  central: (field: string): string => `i.${field}`,
  neighbor: (field: string): string => `j.${field}`,
  parameter: (name: string): string => `p.${name}`,
  /** Highest index of a table. */
  last: (name: string): string => `last.${name}`,
} as const;

/** Reads slots of the record into locals at the start of the function. */
export class PairSlots {
  readonly #f: FunctionBuilder;
  readonly #args: ArgumentLayout;

  constructor(f: FunctionBuilder, args: ArgumentLayout) {
    this.#f = f;
    this.#args = args;
  }

  i32(name: string): WasmNode {
    return this.#load(name, 'i32');
  }
  address(name: string): WasmNode {
    return this.#load(name, 'address');
  }
  f64(name: string): WasmNode {
    return this.#load(name, 'f64');
  }

  /** A computed value, once at the start of the function. */
  once(value: WasmNode): WasmNode {
    const local = this.#f.local(this.#f.typeOf(value));
    this.#f.atEntry(['local.set', local, value]);
    return this.#f.get(local);
  }

  #load(name: string, type: SlotType): WasmNode {
    return loadSlot(this.#f, this.#args, name, type);
  }
}

interface Table extends TableGroup {
  readonly type: LaneValue['type'];
  readonly last: WasmNode;
  readonly group: string;
  readonly column: number;
}

/** How a kernel body reads `p.x` and `p.table[k]`. */
export interface PairParameters {
  scalar(name: string): LaneValue;
  item(name: string, index: LaneValue): LaneValue;
}

/**
 * Parameters of a pair kernel. Real tables are stored in the width of the kernel; indices are clamped to the table
 * as unsigned numbers, so that no functor reads outside.
 */
export function pairParameters(
  f: FunctionBuilder,
  slots: PairSlots,
  plan: Pick<PairPlan, 'parameters'>,
  shape: { readonly lanes: 1 | 2 | 4; readonly real: 'f64' | 'f32' },
): PairParameters {
  const { lanes, real } = shape;
  const single = real === 'f32';
  const scalars = new Map<string, LaneValue>();
  const tables = new Map<string, Table>();
  const reads = new TableReads(f, real);
  for (const { name, type, table, packed } of plan.parameters) {
    const slot = slotNames.parameter(name);
    if (table) {
      const { group, column, shift } = packed ?? { group: name, column: 0, shift: 0 };
      const known = tables.get(group);
      const last = known?.last ?? slots.i32(slotNames.last(group));
      const lasts = known?.lasts ?? (lanes === 1 ? last : slots.once(i32x4.splat(last)));
      const address = known?.address ?? slots.address(slotNames.parameter(group));
      tables.set(name, { type, address, last, lasts, group, column, shift });
    } else if (type === 'real') {
      const wide = slots.f64(slot);
      const node = single ? slots.once(f32.demote_f64(wide)) : wide;
      const splat = single ? f32x4.splat(node) : f64x2.splat(node);
      scalars.set(name, {
        uniform: true,
        type,
        node,
        ...(lanes === 1 ? {} : { vector: slots.once(splat) }),
      });
    } else scalars.set(name, { uniform: true, type, node: slots.i32(slot) });
  }
  return {
    scalar: (name) => scalars.get(name)!,
    item(name, index) {
      const table = tables.get(name)!;
      const { type, address, last, lasts, group, column, shift } = table;
      const bytes = type === 'real' && !single ? 8 : 4;
      const at = (k: WasmNode) =>
        i32.add(address, i32.shl(k, i32.const(shift + (bytes === 8 ? 3 : 2))));
      if (index.uniform) {
        const k = f.keep(index.node, 'i32');
        const place = at(select(i32.lt_u(k, last), k, last));
        const ops = type !== 'real' ? i32 : single ? f32 : f64;
        return { uniform: true, type, node: f.keep(ops.load(place, bytes * column)) };
      }
      if (shift > 0) return { uniform: false, type, node: reads.read(group, table, column, index) };
      const k = f.keep(i32x4.min_u(index.node, lasts), 'v128');
      const place = (lane: number) => at(i32x4.extract(lane, k));
      let node: WasmNode = bytes === 8 ? v128.load64_zero(place(0)) : v128.load32_zero(place(0));
      for (let lane = 1; lane < lanes; lane++) {
        node =
          bytes === 8
            ? v128.load64Lane(lane, place(lane), node)
            : v128.load32Lane(lane, place(lane), node);
      }
      return { uniform: false, type, node: f.keep(node, 'v128') };
    },
  };
}

/** What hoisted values can refer to. */
export function parameterEnvironment(parameters: PairParameters): BodyEnv {
  const none = () => {
    throw new Error('hoisted values depend on parameters only');
  };
  return {
    uniform: () => true,
    field: (_role, field) => parameters.scalar(field),
    item: (_role, field, index) => parameters.item(field, index),
    write: none,
    writeItem: none,
  };
}
