import type { NearestImages } from '@corpuscle/core';
import type { FunctorIR } from '@corpuscle/functor/ir';
import { hoistUniform } from '@corpuscle/functor/passes';
import {
  address,
  FunctionBuilder,
  i32,
  type LaneValue,
  lowerPrologue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout } from '../../Kernel.js';
import { type OutputBlock, outputBlocks, threadRecord, totalOutputs } from '../outputBlocks.js';
import type { PairPlan } from '../PairPlan.js';
import { Contributions } from '../wasm/Contributions.js';
import { doubles } from '../wasm/Lanes.js';
import {
  type PairParameters,
  PairSlots,
  pairParameters,
  parameterEnvironment,
  slotNames,
} from '../wasm/pairSlots.js';
import { type NearestDifference, nearestDifference } from './nearestDifference.js';

/** Names of the slots of the argument record, besides those of pair kernels. */
export const tileSlots = {
  /** Rows of the central particles, i32. */
  central: 'all.central',
  /** Neighbors packed: rows (i32), and x, y, z, each an array padded with NaN to whole runs of four. */
  rows: 'all.rows',
  x: 'all.x',
  y: 'all.y',
  z: 'all.z',
  /** Bytes of one of the arrays of coordinates. */
  bytes: 'all.bytes',
} as const;

/** What the stages of a tile kernel share: the function they write, what it has read at its start, and its sums. */
export interface TileSetting {
  readonly f: FunctionBuilder;
  readonly args: ArgumentLayout;
  readonly plan: PairPlan;
  /** The functor without what is uniform, and the values of that. */
  readonly ir: FunctorIR;
  readonly variables: ReadonlyMap<string, LaneValue>;
  readonly fromThread: (offset: number) => WasmNode;
  readonly positions: WasmNode;
  readonly centralRows: WasmNode;
  /** Packed neighbors: rows, and x, y, z with their length in bytes. */
  readonly rows: WasmNode;
  readonly arrays: readonly WasmNode[];
  readonly bytes: WasmNode;
  readonly blocks: readonly OutputBlock[];
  readonly bases: readonly WasmNode[];
  readonly rowShift: (block: number) => number;
  readonly centralBases: readonly WasmNode[];
  readonly neighborBases: readonly WasmNode[];
  readonly parameters: PairParameters;
  readonly contributions: Contributions;
  /** Locals: sums of one particle by field, and totals over all. */
  readonly sums: ReadonlyMap<string, number>;
  readonly grandTotals: readonly number[];
  readonly difference: NearestDifference;
}

/** Begins the function: reads the argument record and the thread's own, and makes the locals. */
export function tileSetting(plan: PairPlan, images: NearestImages['kind']): TileSetting {
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const slots = new PairSlots(f, args);
  const blocks = outputBlocks(plan);

  const positions = slots.address(slotNames.positions);
  const centralRows = slots.address(tileSlots.central);
  const rows = slots.address(tileSlots.rows);
  const arrays = [tileSlots.x, tileSlots.y, tileSlots.z].map((name) => slots.address(name));
  const bytes = slots.i32(tileSlots.bytes);
  const recordBytes = i32.const(threadRecord.bytes(blocks.length));
  const thread = slots.once(
    i32.add(slots.address(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(address(i32.load(thread, offset)));
  const bases = blocks.map((_, k) => fromThread(threadRecord.outputs + 4 * k));
  const centralBases = plan.central.map(({ field }) => slots.address(slotNames.central(field)));
  const neighborBases = plan.neighbor.map(({ field }) => slots.address(slotNames.neighbor(field)));
  const parameters = pairParameters(f, slots, plan, { lanes: 2, real: 'f64' });
  const contributions = new Contributions(f, doubles, plan.outputs);
  const sums = new Map(plan.outputs.map(({ field }) => [field, f.local('v128')]));
  const grandTotals = totalOutputs(plan).map(() => f.local('f64'));
  const difference = nearestDifference(f, slots, images);
  const hoisted = hoistUniform(plan.ir);
  const env = parameterEnvironment(parameters);
  const variables = lowerPrologue(hoisted.prologue, { builder: f, lanes: 2, real: 'f64', env });
  return {
    f,
    args,
    plan,
    ir: hoisted.ir,
    variables,
    fromThread,
    positions,
    centralRows,
    rows,
    arrays,
    bytes,
    blocks,
    bases,
    rowShift: (k) => 3 + (blocks[k]!.width === 4 ? 2 : 0),
    centralBases,
    neighborBases,
    parameters,
    contributions,
    sums,
    grandTotals,
    difference,
  };
}
