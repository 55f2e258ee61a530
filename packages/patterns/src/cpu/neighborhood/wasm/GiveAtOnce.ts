import type { WriteOp } from '@corpuscle/functor/ir';
import { i32x4, type LaneValue, mentions, select, type WasmNode } from '@corpuscle/functor/wasm';
import { scalars } from '../../kernels/LaneParts.js';
import { elementAddress, storageShift } from '../../pair/wasm/Lanes.js';
import { localsOf } from '../../pair/wasm/TableReads.js';
import type { NeighborhoodOutput } from '../NeighborhoodPlan.js';
import { loadStored, storeStored } from '../stored.js';
import type { RowSetting } from './RowSetting.js';
import { addTotal } from './storeRow.js';

interface Found {
  readonly body: readonly WasmNode[];
  readonly from: number;
  readonly key: string;
  readonly locals: readonly number[];
  /** Row of the neighbor of each lane. */
  readonly rows: readonly WasmNode[];
  /** Addresses of these rows in a block. */
  readonly addresses: Map<string, readonly WasmNode[]>;
}

/**
 * Adds what neighbors receive to their rows at once, where the functor gives them each output in one place. Lanes that are off
 * add 0 to the row of their own particle. Rows found for an index serve all outputs, as long as the code runs straight on.
 */
export class GiveAtOnce {
  readonly #setting: RowSetting;
  readonly #own: readonly WasmNode[];
  #found: Found | null = null;

  /** @param own rows of the particles that go side by side */
  constructor(setting: RowSetting, own: readonly WasmNode[]) {
    this.#setting = setting;
    this.#own = own;
  }

  give(
    output: NeighborhoodOutput,
    index: LaneValue,
    op: WriteOp,
    value: LaneValue,
    mask: WasmNode | null,
  ): void {
    const { f, parts } = this.#setting;
    const { place, type } = output;
    const kind = parts.sum(type);
    const changes = parts.keep(parts.changed(kind, op, parts.zero(kind), value, mask));
    const addresses = place ? this.#addresses(place, this.#rows(index, mask)) : [];
    this.#own.forEach((_, lane) => {
      const change = f.keep(parts.lane(kind, changes, lane));
      if (place) {
        const offset = place.component << storageShift[place.storage];
        const old = loadStored(place.storage, addresses[lane]!, offset);
        const next = scalars[kind].add(old, change);
        f.emit(storeStored(place.storage, addresses[lane]!, next, offset));
      }
      addTotal(this.#setting, output, change);
    });
  }

  #rows(index: LaneValue, mask: WasmNode | null): Found {
    const { f, buffer, parts } = this.#setting;
    const key = JSON.stringify([index.node, mask]);
    const known = this.#found;
    if (known?.key === key && known.body === f.body) {
      const since = f.body.slice(known.from);
      const isSet = (local: number) => mentions(since, ['local.set', 'local.tee'], local);
      if (!known.locals.some(isSet)) return known;
    }
    const locals = [index.node, ...(mask ? [mask] : [])].flatMap(localsOf);
    const k = f.keep(index.node, index.uniform ? 'i32' : 'v128');
    const rows = this.#own.map((own, lane) => {
      const j = buffer.get('$row', 'i32', index.uniform ? k : i32x4.extract(lane, k), lane);
      if (!mask) return f.keep(j);
      return f.keep(select(i32x4.extract((4 / parts.count) * lane, mask), j, own));
    });
    const found = { body: f.body, from: f.body.length, key, locals, rows, addresses: new Map() };
    this.#found = found;
    return found;
  }

  #addresses(
    place: NonNullable<NeighborhoodOutput['place']>,
    { rows, addresses }: Found,
  ): readonly WasmNode[] {
    const { f, plan, scatterBases } = this.#setting;
    const known = addresses.get(place.block);
    if (known) return known;
    const base = scatterBases[plan.scatterBlocks.indexOf(place.block)]!;
    const made = rows.map((row) => f.keep(elementAddress(base, row, place)));
    addresses.set(place.block, made);
    return made;
  }
}
