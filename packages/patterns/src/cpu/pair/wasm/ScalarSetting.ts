import { address, FunctionBuilder, i32, type WasmNode } from '@corpuscle/functor/wasm';
import { ArgumentLayout } from '../../Kernel.js';
import { outputBlocks, threadRecord, totalOutputs } from '../outputBlocks.js';
import type { FieldPlace, PairOutput, PairPlan } from '../PairPlan.js';
import { elementAddress, storageShift } from './Lanes.js';
import { type PairParameters, PairSlots, pairParameters, slotNames } from './pairSlots.js';
import type { EntryWalk } from './walkEntry.js';

/** What the stages of a scalar kernel share: the function they write, what it has read at its start, and its sums. */
export interface ScalarSetting {
  readonly f: FunctionBuilder;
  readonly args: ArgumentLayout;
  readonly plan: PairPlan;
  /** Reads an address of the thread's record, once at the start. */
  readonly fromThread: (offset: number) => WasmNode;
  readonly walk: EntryWalk;
  readonly entries: WasmNode;
  /** Number of the thread's first entry. */
  readonly base: WasmNode;
  /** Where fields begin, in the order of the plan. */
  readonly centralBases: readonly WasmNode[];
  readonly neighborBases: readonly WasmNode[];
  readonly parameters: PairParameters;
  readonly outputs: ReadonlyMap<string, PairOutput>;
  /** Locals: sums of one entry by field, in f64 or i32, and totals over all particles. */
  readonly sums: ReadonlyMap<string, number>;
  readonly grandTotals: readonly number[];
  /** Address of an output in a row, for the present thread. */
  readonly outputAddress: (place: FieldPlace, row: WasmNode) => WasmNode;
}

/** Begins the function: reads the argument record and the thread's own, and makes the locals. */
export function scalarSetting(plan: PairPlan): ScalarSetting {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const blocks = outputBlocks(plan);

  const positions = slots.address(slotNames.positions);
  const shifts = slots.address(slotNames.shifts);
  const cutoff2 = slots.f64(slotNames.cutoff2);
  const recordBytes = i32.const(threadRecord.bytes(blocks.length));
  const thread = slots.once(
    i32.add(slots.address(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(address(i32.load(thread, offset)));
  const entries = fromThread(threadRecord.entries);
  const indices = fromThread(threadRecord.indices);
  const base = slots.once(i32.load(thread, threadRecord.base));
  const bases = new Map(
    blocks.map(({ block }, k) => [block, fromThread(threadRecord.outputs + 4 * k)]),
  );
  const centralBases = plan.central.map(({ field }) => slots.address(slotNames.central(field)));
  const neighborBases = plan.neighbor.map(({ field }) => slots.address(slotNames.neighbor(field)));
  const parameters = pairParameters(f, slots, plan, { lanes: 1, real: plan.real });
  const sums = new Map(
    plan.outputs.map(({ field, type }) => [field, f.local(type === 'real' ? 'f64' : 'i32')]),
  );
  return {
    f,
    args,
    plan,
    fromThread,
    walk: { indices, positions, shifts, cutoff2 },
    entries,
    base,
    centralBases,
    neighborBases,
    parameters,
    outputs: new Map(plan.outputs.map((output) => [output.field, output])),
    sums,
    grandTotals: totalOutputs(plan).map(() => f.local('f64')),
    outputAddress: (place, row) =>
      i32.add(
        elementAddress(bases.get(place.block)!, row, place),
        i32.const(place.component << storageShift[place.storage]),
      ),
  };
}
