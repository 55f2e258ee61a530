import type { Hoisted } from '@corpuscle/functor/passes';
import {
  address,
  FunctionBuilder,
  i32,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout } from '../../Kernel.js';
import { type OutputBlock, outputBlocks, threadRecord, totalsOfThread } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import type { Measure } from './distances.js';
import { doubles, type Lanes, singles, storageShift } from './Lanes.js';
import { type Packer, packer } from './packer.js';
import { PairSlots, pairParameters, parameterEnvironment, slotNames } from './pairSlots.js';
import type { RunSetting } from './RunSetting.js';

/** What a vector kernel has read at its start, and its locals. */
export interface VectorSetting extends RunSetting {
  readonly args: ArgumentLayout;
  readonly fromThread: (offset: number) => WasmNode;
  readonly shifts: WasmNode;
  readonly entries: WasmNode;
  readonly indices: WasmNode;
  /** Number of the thread's first entry. */
  readonly base: WasmNode;
  readonly centralBases: readonly WasmNode[];
  /** Locals: totals over all particles, of outputs and then of moments. */
  readonly grandTotals: readonly number[];
  /** How the central particle's outputs are stored. */
  readonly stored: 'f64' | 'f32';
  /** The buffered form's packing of neighbors; null in the bufferless form. */
  readonly pack: Packer | null;
}

/** Begins the function: reads the argument record and the thread's own, and makes the locals. */
export function vectorSetting(plan: PairPlan, hoisted: Hoisted): VectorSetting {
  const lanes: Lanes = plan.scaffold === 'lanes2' ? doubles : singles;
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const half = plan.list === 'half';
  const blocks = outputBlocks(plan);
  // Half lists of singles go to buffers of singles; everything else is written as the grid stores it.
  const stored = half && lanes.count === 4 ? 'f32' : 'f64';

  const positions = slots.address(slotNames.positions);
  const shifts = slots.address(slotNames.shifts);
  const cutoff2 = slots.once(lanes.splat(lanes.narrow(slots.f64(slotNames.cutoff2))));
  const measure = measureOf(plan, lanes, slots);
  const recordBytes = i32.const(threadRecord.bytes(blocks.length));
  const thread = slots.once(
    i32.add(slots.address(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(address(i32.load(thread, offset)));
  const entries = fromThread(threadRecord.entries);
  const indices = fromThread(threadRecord.indices);
  const base = slots.once(i32.load(thread, threadRecord.base));
  const bases = blocks.map((_, k) => fromThread(threadRecord.outputs + 4 * k));
  const centralBases = plan.central.map(({ field }) => slots.address(slotNames.central(field)));
  const neighborBases = plan.neighbor.map(({ field }) => slots.address(slotNames.neighbor(field)));
  const parameters = pairParameters(f, slots, plan, { lanes: lanes.count, real: lanes.real });
  const force = centralForce(blocks);
  const rowSums = stored === 'f32' && isAlone(force) ? [f.local('v128'), f.local('v128')] : null;
  const sums = new Map(plan.outputs.map(({ field }) => [field, f.local('v128')]));
  const grandTotals = Array.from({ length: totalsOfThread(plan) }, () => f.local('f64'));
  const scratch = fromThread(threadRecord.scratch);
  const pack =
    plan.form === 'buffered'
      ? packer(f, measure, {
          positions,
          cutoff2,
          scratch,
          padding: slots.once(i32.load(thread, threadRecord.padding)),
          compress: slots.address(slotNames.compress),
        })
      : null;
  const variables = lowerPrologue(hoisted.prologue, {
    builder: f,
    lanes: lanes.count,
    real: lanes.real,
    env: parameterEnvironment(parameters),
  });
  nameLocals(f, { entries, indices, base, thread: thread, cutoff2, scratch });
  blocks.forEach(({ block }, k) => {
    f.called(bases[k]!, `to.${block}`);
  });
  for (const [field, local] of sums) f.called(local, `sum.${field}`);
  return {
    f,
    args,
    plan,
    ir: hoisted.ir,
    measure,
    positions,
    shifts,
    cutoff2,
    fromThread,
    entries,
    indices,
    base,
    centralBases,
    neighborBases,
    parameters,
    variables,
    scatters: half && blocks.length > 0,
    blocks,
    bases,
    rowShift: (k) => (stored === 'f32' ? 2 : storageShift.f64) + (blocks[k]!.width === 4 ? 2 : 0),
    sums,
    force,
    rowSums,
    grandTotals,
    scratch,
    stored,
    pack,
  };
}

/** Names for readers of the text form. */
function nameLocals(f: FunctionBuilder, nodes: Readonly<Record<string, WasmNode>>): void {
  for (const [name, node] of Object.entries(nodes)) f.called(node, name);
}

/** How differences are measured; singles have positions in fixed point, in units of their own. */
function measureOf(plan: PairPlan, lanes: Lanes, slots: PairSlots): Measure {
  const unit = lanes.count === 4 ? lanes.narrow(slots.f64(slotNames.unit)) : null;
  const units = unit && slots.once(lanes.splat(unit));
  return {
    lanes,
    relaxed: plan.relaxed,
    unit: units,
    unit2: units && slots.once(lanes.v.mul(units, units)),
  };
}

/** The block in which a central force has a row of its own, with its fields along x, y and z. */
function centralForce(blocks: readonly OutputBlock[]): RunSetting['force'] {
  const block = blocks.find(
    ({ width, members }) => width === 4 && members[0] && members[1] && members[2],
  );
  const fields = block?.members.slice(0, 3).map((o) => o!.field);
  return block ? { block, fields: fields as [string, string, string] } : null;
}

/** Whether nothing else is in the force's rows: singles then multiply whole difference rows and transpose nothing back. */
const isAlone = (force: RunSetting['force']): boolean =>
  force !== null &&
  !force.block.members[3] &&
  force.block.members.every((o) => !o || (!o.total && o.parity === 'odd'));
