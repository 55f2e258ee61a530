import { f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import { scalars } from '../../kernels/LaneParts.js';
import type { NeighborhoodOutput } from '../NeighborhoodPlan.js';
import { loadStored, placeAddress, storeStored } from '../stored.js';
import type { RowSetting } from './RowSetting.js';

/**
 * Sets what particles receive to zero, or to what is stored where the functor does more than add to it.
 *
 * @param rows the rows that go side by side
 * @returns the values they begin with.
 */
export function beginOwn(setting: RowSetting, rows: readonly WasmNode[]): WasmNode[][] {
  const { owned, parts, outputBase } = setting;
  return owned.map(({ output, locals }) => {
    const { place, central, type } = output;
    const kind = parts.sum(type);
    if (central !== 'general' || !place) {
      parts.set(locals, parts.zero(kind));
      return [];
    }
    const base = outputBase(place.block);
    const stored = rows.map((i) => loadStored(place.storage, placeAddress(base, i, place)));
    const before = parts.keep(parts.joined(kind, stored));
    parts.set(locals, before);
    return before;
  });
}

/** Outputs of the particle of a lane go to its row and to the totals. */
export function storeOwn(
  setting: RowSetting,
  i: WasmNode,
  lane: number,
  before: readonly (readonly WasmNode[])[],
): void {
  const { f, parts, owned, outputBase } = setting;
  owned.forEach(({ output, locals }, k) => {
    const { place, central, type } = output;
    const kind = parts.sum(type);
    const ops = scalars[kind];
    const value = f.keep(parts.lane(kind, parts.get(locals), lane));
    if (place) {
      const address = f.keep(placeAddress(outputBase(place.block), i, place));
      const old = central === 'sum' ? loadStored(place.storage, address) : null;
      f.emit(storeStored(place.storage, address, old ? ops.add(old, value) : value));
    }
    const started = before[k]!;
    const change = started.length > 0 ? ops.sub(value, parts.lane(kind, started, lane)) : value;
    addTotal(setting, output, change);
  });
}

/** What was kept for the packed neighbors of a lane is added to their rows and to the totals. */
export function scatterGiven(setting: RowSetting, count: number, lane: number): void {
  const { f, plan, parts, buffer, scatterBases } = setting;
  const scattered = plan.outputs.filter((output) => output.scattered === 'kept');
  if (scattered.length === 0) return;
  f.range(i32.const(0), f.get(count), (k) => {
    const j = f.keep(buffer.get('$row', 'i32', k, lane));
    for (const output of scattered) {
      const { place, field, type } = output;
      const kind = parts.sum(type);
      const value = f.keep(buffer.get(field, kind, k, lane));
      if (place) {
        const base = scatterBases[plan.scatterBlocks.indexOf(place.block)]!;
        const address = f.keep(placeAddress(base, j, place));
        const next = scalars[kind].add(loadStored(place.storage, address), value);
        f.emit(storeStored(place.storage, address, next));
      }
      addTotal(setting, output, value);
    }
  });
}

/** Adds to the sum over all particles, where there is one. */
export function addTotal(
  { f, totals }: RowSetting,
  output: NeighborhoodOutput,
  change: WasmNode,
): void {
  const total = totals.find((candidate) => candidate.output === output);
  if (!total) return;
  const { type } = output;
  const wide =
    type === 'real'
      ? change
      : type === 'u32'
        ? f64.convert_i32_u(change)
        : f64.convert_i32_s(change);
  f.set(total.sum, f64.add(f.get(total.sum), wide));
}
