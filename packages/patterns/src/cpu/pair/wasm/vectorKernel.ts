import { hoistUniform } from '@corpuscle/functor/passes';
import {
  type FunctionBuilder,
  f64,
  i32,
  i32x4,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import type { Kernel } from '../../Kernel.js';
import { wasmCode } from '../../wasmCode.js';
import { totalOutputs } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import { addMoments } from './addMoments.js';
import { addTotals } from './addTotals.js';
import { centralValue } from './attributes.js';
import { batchedRuns, batches, type Entries } from './batchedRuns.js';
import type { Lanes } from './Lanes.js';
import { addToCentral } from './scatter.js';
import { stagedRun } from './stagedRun.js';
import { type VectorSetting, vectorSetting } from './VectorSetting.js';
import { at } from './walkEntry.js';

/**
 * A pair kernel with SIMD lanes across the neighbors of one particle. It works on entries begin … end−1 of a list,
 * counted over all threads:
 *
 *   for each entry {i, image, j0, j1}:  splat r_i + shift;  clear sums
 *     [buffered form: neighbors with r2 < rcut² are packed first, so that the functor meets full vectors]
 *     run of neighbors (`stagedRun`):  d, r2  →  functor  →  sums;  half lists: neighbors −= or += contributions
 *     row i += sums over lanes;  totals += the same
 */
export function vectorKernel(plan: PairPlan, key: string): Kernel {
  const hoisted = hoistUniform(plan.ir);
  const setting = vectorSetting(plan, hoisted);
  const { f, args } = setting;
  const entries = entriesOf(setting);
  if (batches(plan, hoisted.ir)) batchedRuns(setting, entries);
  else eachEntry(setting, entries);
  addTotals(f, setting.grandTotals, setting.fromThread);
  return { key, label: plan.name, code: wasmCode(f, aboutVectors(plan)), args };
}

/** What the kernel does, stage by stage. */
const aboutVectors = (plan: PairPlan): string => `${plan.name}

Pair functor '${plan.name}' over entries begin … end − 1 of a ${plan.list} neighbor list, ${plan.scaffold === 'lanes2' ? 'two' : 'four'} neighbors at a time.
${plan.form === 'buffered' ? '  pack      neighbors within the cutoff move to the front, so that vectors are full\n' : ''}  measure   displacements and their squares go to scratch memory
  compute   the functor runs where r² is below the square of the cutoff
${plan.list === 'half' ? '  scatter   neighbors receive their share\n' : ''}  store     sums over the lanes go to the row of the particle${plan.outputs.some((o) => o.total) ? ' and to the totals' : ''}`;

/** The entries of the list that a call works on, and what is done at the start and the end of each. */
function entriesOf(setting: VectorSetting): Entries {
  const { f, plan, measure, positions, shifts, indices, base } = setting;
  const { lanes } = measure;
  f.comment('the entries of this call: {i, image, first, end} each');
  const entry = f.called(f.variable(at(setting.entries, i32.sub(f.param(1), base), 4)), 'entry');
  const last = f.called(f.keep(at(setting.entries, i32.sub(f.param(2), base), 4)), 'lastEntry');
  const fromEntry = (offset: number) => i32.load(f.get(entry), offset);
  return {
    entry,
    last,
    bounds: () =>
      [
        f.named('runBegin', at(indices, fromEntry(8), 2)),
        f.named('runEnd', at(indices, fromEntry(12), 2)),
      ] as const,
    center() {
      const position = f.named('ownPosition', at(positions, fromEntry(0), lanes.rowShift));
      const shift = f.named('imageShift', at(shifts, fromEntry(4), lanes.rowShift));
      return splatCenter(f, lanes, position, shift);
    },
    clear() {
      const { sums, rowSums } = setting;
      for (const local of [...sums.values(), ...(rowSums ?? [])]) f.set(local, lanes.zero);
    },
    finish(rowsUsed) {
      if (plan.moments.length > 0) addMoments(setting, f.named('imageOfSums', fromEntry(4)));
      storeSums(setting, f.named('rowOfSums', fromEntry(0)), rowsUsed);
    },
  };
}

/** Adds the sums of an entry to row `i` and to the totals. */
function storeSums(setting: VectorSetting, i: WasmNode, rowsUsed: boolean): void {
  const { f, plan, measure, blocks, bases, rowShift, rowSums, sums, stored } = setting;
  const { lanes } = measure;
  f.comment('store: sums over the lanes');
  blocks.forEach((block, k) => {
    const row = f.keep(at(bases[k]!, i, rowShift(k)));
    if (rowsUsed && block === setting.force?.block) {
      const sum = lanes.v.add(f.get(rowSums![0]!), f.get(rowSums![1]!));
      f.emit(v128.store(row, lanes.v.add(v128.load(row), sum)));
      return;
    }
    addToCentral(f, lanes, block, ({ field }) => f.get(sums.get(field)!), row, stored);
  });
  totalOutputs(plan).forEach(({ field }, k) => {
    const total = setting.grandTotals[k]!;
    f.set(total, f64.add(f.get(total), lanes.sum(f, f.get(sums.get(field)!))));
  });
}

/** Takes entries one by one, each in as many runs as packing makes of it. */
function eachEntry(setting: VectorSetting, entries: Entries): void {
  const { f, plan, measure, centralBases, pack } = setting;
  const { entry, last, bounds, center, clear, finish } = entries;
  f.while(i32.lt_u(f.get(entry), last), () => {
    const i = f.named('i', i32.load(f.get(entry)));
    const [begin, end] = bounds();
    const central = new Map(
      plan.central.map((place, k) => [
        place.field,
        centralValue(f, measure.lanes, place, centralBases[k]!, i),
      ]),
    );
    const r = center();
    clear();
    const p = f.called(f.variable(begin), 'at');
    let rowsUsed = false;
    if (pack) {
      f.while(i32.lt_u(f.get(p), end), () => {
        const packed = pack(p, end, r);
        const run = { p: f.variable(packed.begin), end: packed.end, center: r, central };
        rowsUsed = stagedRun(setting, run);
      });
    } else rowsUsed = stagedRun(setting, { p, end, center: r, central });
    finish(rowsUsed);
    f.increment(entry, 16);
  });
}

/** r_i + shift: in doubles x, y and z, each in every lane; in fixed point the row itself. */
function splatCenter(
  f: FunctionBuilder,
  lanes: Lanes,
  position: WasmNode,
  shift: WasmNode,
): WasmNode[] {
  const { add } = lanes.count === 4 ? i32x4 : lanes.v;
  const sum = (name: string, offset: number) =>
    f.named(name, add(v128.load(position, offset), v128.load(shift, offset)));
  if (lanes.count === 4) return [sum('center', 0)];
  const [first, second] = [sum('center.xy', 0), sum('center.z', 16)];
  return [
    f.named('center.x.lanes', lanes.shuffle([0, 0], first, first)),
    f.named('center.y.lanes', lanes.shuffle([1, 1], first, first)),
    f.named('center.z.lanes', lanes.shuffle([0, 0], second, second)),
  ];
}
