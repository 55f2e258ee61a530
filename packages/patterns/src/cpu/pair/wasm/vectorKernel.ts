import { hoistUniform } from '@corpuscle/functor/passes';
import {
  assembleModule,
  FunctionBuilder,
  f64,
  i32,
  i32x4,
  lowerPrologue,
  v128,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout, type Kernel } from '../../Kernel.js';
import { outputBlocks, threadRecord, totalOutputs } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import { centralValue } from './attributes.js';
import { batchedRuns, batches } from './batchedRuns.js';
import type { Measure } from './distances.js';
import { doubles, type Lanes, singles, storageShift } from './Lanes.js';
import { packer } from './packer.js';
import { PairSlots, pairParameters, parameterEnvironment, slotNames } from './pairSlots.js';
import type { RunSetting } from './RunSetting.js';
import { addToCentral } from './scatter.js';
import { stagedRun } from './stagedRun.js';

/**
 * A pair kernel with SIMD lanes across the neighbours of one particle. It works on entries begin … end−1 of a list,
 * counted over all threads:
 *
 *   for each entry {i, image, j0, j1}:  splat r_i + shift;  clear sums
 *     [buffered form: neighbours with r2 < rcut² are packed first, so that the functor meets full vectors]
 *     run of neighbours (`stagedRun`):  d, r2  →  functor  →  sums;  half lists: neighbours −= or += contributions
 *     row i += sums over lanes;  totals += the same
 */
export function vectorKernel(plan: PairPlan, key: string): Kernel {
  const lanes: Lanes = plan.scaffold === 'lanes2' ? doubles : singles;
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const half = plan.list === 'half';
  const blocks = outputBlocks(plan);
  const totals = totalOutputs(plan);
  // Half lists of singles go to buffers of singles; everything else is written as the grid stores it.
  const stored = half && lanes.count === 4 ? 'f32' : 'f64';

  const positions = slots.i32(slotNames.positions);
  const shifts = slots.i32(slotNames.shifts);
  const cutoff2 = slots.once(lanes.splat(lanes.narrow(slots.f64(slotNames.cutoff2))));
  const unit = lanes.count === 4 ? lanes.narrow(slots.f64(slotNames.unit)) : null;
  const units = unit && slots.once(lanes.splat(unit));
  const measure: Measure = {
    lanes,
    relaxed: plan.relaxed,
    unit: units,
    unit2: units && slots.once(lanes.v.mul(units, units)),
  };
  const recordBytes = i32.const(threadRecord.bytes(blocks.length));
  const thread = slots.once(
    i32.add(slots.i32(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(i32.load(thread, offset));
  const entries = fromThread(threadRecord.entries);
  const indices = fromThread(threadRecord.indices);
  const base = fromThread(threadRecord.base);
  const bases = blocks.map((_, k) => fromThread(threadRecord.outputs + 4 * k));
  const centralBases = plan.central.map(({ field }) => slots.i32(slotNames.central(field)));
  const neighbourBases = plan.neighbour.map(({ field }) => slots.i32(slotNames.neighbour(field)));
  const parameters = pairParameters(f, slots, plan, { lanes: lanes.count, real: lanes.real });
  const hoisted = hoistUniform(plan.ir);

  // A central force on a row of its own: singles then multiply whole difference rows and transpose nothing back.
  const forceBlock = blocks.find(
    ({ width, members }) => width === 4 && members[0] && members[1] && members[2],
  );
  const forceFields = forceBlock?.members.slice(0, 3).map((o) => o!.field) as
    | [string, string, string]
    | undefined;
  const byRows =
    stored === 'f32' &&
    forceBlock !== undefined &&
    !forceBlock.members[3] &&
    forceBlock.members.every((o) => !o || (!o.total && o.parity === 'odd'));
  const rowSums = byRows ? [f.local('v128'), f.local('v128')] : null;
  const sums = new Map(plan.outputs.map(({ field }) => [field, f.local('v128')]));
  const grandTotals = totals.map(() => f.local('f64'));
  const at = (address: WasmNode, k: WasmNode, shift: number) =>
    i32.add(address, i32.shl(k, i32.const(shift)));
  const rowShift = (k: number) =>
    (stored === 'f32' ? 2 : storageShift.f64) + (blocks[k]!.width === 4 ? 2 : 0);

  const scratch = fromThread(threadRecord.scratch);
  const pack =
    plan.form === 'buffered' &&
    packer(f, measure, {
      positions,
      cutoff2,
      scratch,
      padding: slots.i32(slotNames.padding),
      compress: slots.i32(slotNames.compress),
    });
  const variables = lowerPrologue(hoisted.prologue, {
    builder: f,
    lanes: lanes.count,
    real: lanes.real,
    env: parameterEnvironment(parameters),
  });
  const setting: RunSetting = {
    f,
    plan,
    ir: hoisted.ir,
    measure,
    positions,
    cutoff2,
    neighbourBases,
    parameters,
    variables,
    scatters: half && blocks.length > 0,
    blocks,
    bases,
    rowShift,
    sums,
    force: forceBlock && forceFields ? { block: forceBlock, fields: forceFields } : null,
    rowSums,
    scratch,
  };
  const entry = f.variable(at(entries, i32.sub(f.param(1), base), 4));
  const lastEntry = f.keep(at(entries, i32.sub(f.param(2), base), 4));
  const fromEntry = (offset: number) => i32.load(f.get(entry), offset);
  const centre = () => {
    const position = f.keep(at(positions, fromEntry(0), lanes.rowShift));
    const shift = f.keep(at(shifts, fromEntry(4), lanes.rowShift));
    return splatCentre(f, lanes, position, shift);
  };
  const bounds = () =>
    [f.keep(at(indices, fromEntry(8), 2)), f.keep(at(indices, fromEntry(12), 2))] as const;
  const clear = () => {
    for (const local of [...sums.values(), ...(rowSums ?? [])]) f.set(local, lanes.zero);
  };
  const finish = (rowsUsed: boolean) => {
    const i = f.keep(fromEntry(0));
    blocks.forEach((block, k) => {
      const row = f.keep(at(bases[k]!, i, rowShift(k)));
      if (rowsUsed && block === forceBlock) {
        const sum = lanes.v.add(f.get(rowSums![0]!), f.get(rowSums![1]!));
        f.emit(v128.store(row, lanes.v.add(v128.load(row), sum)));
        return;
      }
      addToCentral(f, lanes, block, ({ field }) => f.get(sums.get(field)!), row, stored);
    });
    totals.forEach(({ field }, k) => {
      const total = grandTotals[k]!;
      f.set(total, f64.add(f.get(total), lanes.sum(f, f.get(sums.get(field)!))));
    });
  };
  if (batches(plan, hoisted.ir))
    batchedRuns(setting, { entry, last: lastEntry, bounds, centre, clear, finish });
  else {
    f.while(i32.lt_u(f.get(entry), lastEntry), () => {
      const i = f.keep(fromEntry(0));
      const [begin, end] = bounds();
      const central = new Map(
        plan.central.map((place, k) => [
          place.field,
          centralValue(f, lanes, place, centralBases[k]!, i),
        ]),
      );
      const r = centre();
      clear();
      const p = f.variable(begin);
      let rowsUsed = false;
      if (pack) {
        f.while(i32.lt_u(f.get(p), end), () => {
          const packed = pack(p, end, r);
          const run = { p: f.variable(packed.begin), end: packed.end, centre: r, central };
          rowsUsed = stagedRun(setting, run);
        });
      } else rowsUsed = stagedRun(setting, { p, end, centre: r, central });
      finish(rowsUsed);
      f.increment(entry, 16);
    });
  }
  const totalsAddress = totals.length > 0 ? fromThread(threadRecord.totals) : i32.const(0);
  grandTotals.forEach((total, k) => {
    f.emit(f64.store(totalsAddress, f64.add(f64.load(totalsAddress, 8 * k), f.get(total)), 8 * k));
  });
  const bytes = assembleModule({ functions: [f], exports: ['run'] });
  return { key, label: plan.name, code: { kind: 'wasm', bytes }, args };
}

/** r_i + shift: in doubles x, y and z, each in every lane; in fixed point the row itself. */
function splatCentre(
  f: FunctionBuilder,
  lanes: Lanes,
  position: WasmNode,
  shift: WasmNode,
): WasmNode[] {
  const { add } = lanes.count === 4 ? i32x4 : lanes.v;
  const sum = (offset: number) =>
    f.keep(add(v128.load(position, offset), v128.load(shift, offset)), 'v128');
  if (lanes.count === 4) return [sum(0)];
  const [first, second] = [sum(0), sum(16)];
  return [
    f.keep(lanes.shuffle([0, 0], first, first), 'v128'),
    f.keep(lanes.shuffle([1, 1], first, first), 'v128'),
    f.keep(lanes.shuffle([0, 0], second, second), 'v128'),
  ];
}
