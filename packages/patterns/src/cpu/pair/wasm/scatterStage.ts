import { i32, interleaved, v128, type WasmNode } from '@corpuscle/functor/wasm';
import { neighborRows, outputSlot, type RunSetting } from './RunSetting.js';
import type { StageScratch } from './StageScratch.js';
import { scatterToNeighbors } from './scatter.js';

/**
 * Emits the scattering of four neighbors, from what the stages before have left: contributions, and the factor of a
 * central force, which is multiplied by d here and added up for the central particle.
 *
 * @returns whether the force was summed in whole rows.
 */
export function scatterStage(
  setting: RunSetting,
  scratch: StageScratch,
  p: number,
  central: boolean,
): boolean {
  const { f, measure } = setting;
  const byRows = central && setting.rowSums !== null;
  const vectors = Array.from({ length: 4 / measure.lanes.count }, (_, k) =>
    f.collect(() => scatterVector(setting, scratch, p, k, central, byRows)),
  );
  f.emit(...interleaved(vectors));
  return byRows;
}

function scatterVector(
  setting: RunSetting,
  scratch: StageScratch,
  p: number,
  k: number,
  central: boolean,
  byRows: boolean,
): void {
  const { f, plan, measure, force, blocks, bases, sums } = setting;
  const { lanes } = measure;
  const { add, mul } = lanes.v;
  const rows = neighborRows(setting, p, k);
  const parts = new Map<string, WasmNode>();
  if (central && !byRows) {
    const factor = f.keep(scratch.load('factor', k));
    force!.fields.forEach((field, axis) => {
      const part = f.named(`j.${field}`, mul(factor, scratch.load(['x', 'y', 'z'][axis]!, k)));
      parts.set(field, part);
      const sum = sums.get(field)!;
      f.set(sum, add(f.get(sum), part));
    });
  }
  for (const output of plan.outputs) {
    const { field } = output;
    if (!output.place || (central && force!.fields.includes(field))) continue;
    const part = f.named(`j.${field}`, scratch.load(outputSlot(output), k));
    parts.set(field, part);
    const sum = sums.get(field)!;
    f.set(sum, add(f.get(sum), part));
  }
  blocks.forEach((block, n) => {
    const targets = rows.map((row) =>
      f.keep(i32.add(bases[n]!, i32.shl(row, i32.const(setting.rowShift(n))))),
    );
    if (byRows && block === force!.block) scatterRows(setting, scratch, k, targets);
    else scatterToNeighbors(f, lanes, block, ({ field }) => parts.get(field)!, targets);
  });
}

/** Whole rows of differences, in units of fixed point, times the factor of each lane. */
function scatterRows(
  { f, plan, measure, rowSums }: RunSetting,
  scratch: StageScratch,
  k: number,
  targets: readonly WasmNode[],
): void {
  const { lanes, unit } = measure;
  const { add, mul, sub, relaxed_madd, relaxed_nmadd } = lanes.v;
  const factors = f.keep(mul(scratch.load('factor', k), unit!), 'v128');
  targets.forEach((target, lane) => {
    const factor = f.keep(lanes.shuffle(new Array<number>(4).fill(lane), factors, factors));
    const row = f.keep(scratch.load(`row${lane}`, k));
    const sum = rowSums![lane & 1]!;
    if (plan.relaxed) {
      f.emit(v128.store(target, relaxed_nmadd(factor, row, v128.load(target))));
      f.set(sum, relaxed_madd(factor, row, f.get(sum)));
      return;
    }
    const change = f.keep(mul(factor, row), 'v128');
    f.emit(v128.store(target, sub(v128.load(target), change)));
    f.set(sum, add(f.get(sum), change));
  });
}
