import { f64, i32, type WasmNode } from '@corpuscle/functor/wasm';
import type { NeighborhoodOutput } from '../NeighborhoodPlan.js';
import { loadStored, placeAddress, storeStored } from '../stored.js';
import { type RowSetting, wideOps } from './RowSetting.js';

/**
 * Sets what the particle receives to zero, or to what is stored where the functor does more than add to it.
 * @returns the values it begins with.
 */
export function beginOwn(setting: RowSetting, i: WasmNode): WasmNode[] {
  const { f, owned, outputBase } = setting;
  return owned.map(({ output, value }) => {
    const { place, central, type } = output;
    const old =
      central === 'general' && place
        ? loadStored(place.storage, placeAddress(outputBase(place.block), i, place))
        : null;
    f.set(value, old ? f.keep(old) : wideOps(type).const(0));
    return f.keep(f.get(value));
  });
}

/** Outputs of the particle itself go to its row and to the totals. */
export function storeOwn(setting: RowSetting, i: WasmNode, before: readonly WasmNode[]): void {
  const { f, owned, outputBase } = setting;
  owned.forEach(({ output, value }, k) => {
    const { place, central, type } = output;
    const ops = wideOps(type);
    if (place) {
      const address = f.keep(placeAddress(outputBase(place.block), i, place));
      const old = central === 'sum' ? loadStored(place.storage, address) : null;
      const next = old ? ops.add(old, f.get(value)) : f.get(value);
      f.emit(storeStored(place.storage, address, next));
    }
    const change = central === 'sum' ? f.get(value) : ops.sub(f.get(value), before[k]!);
    addTotal(setting, output, change);
  });
}

/** What the functor gave to packed neighbors is added to their rows and to the totals. */
export function scatterGiven(setting: RowSetting, count: number): void {
  const { f, plan, buffer, scatterBases } = setting;
  const scattered = plan.outputs.filter((output) => output.scattered);
  if (scattered.length === 0) return;
  f.range(i32.const(0), f.get(count), (k) => {
    const j = f.keep(i32.load(buffer.element('$row', k, 4)));
    for (const output of scattered) {
      const { place, field, type } = output;
      const ops = wideOps(type);
      const value = f.keep(ops.load(buffer.element(field, k, type === 'real' ? 8 : 4)));
      if (place) {
        const base = scatterBases[plan.scatterBlocks.indexOf(place.block)]!;
        const address = f.keep(placeAddress(base, j, place));
        const next = ops.add(loadStored(place.storage, address), value);
        f.emit(storeStored(place.storage, address, next));
      }
      addTotal(setting, output, value);
    }
  });
}

function addTotal({ f, totals }: RowSetting, output: NeighborhoodOutput, change: WasmNode): void {
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
