import type { ValueType } from '@corpuscle/functor/ir';
import {
  address,
  FunctionBuilder,
  f32,
  i32,
  type LaneValue,
  type WasmNode,
} from '@corpuscle/functor/wasm';
import { ArgumentLayout } from '../../Kernel.js';
import { LaneParts } from '../../kernels/LaneParts.js';
import { loadScalar } from '../../pair/wasm/attributes.js';
import {
  type PairParameters,
  PairSlots,
  pairParameters,
  slotNames,
} from '../../pair/wasm/pairSlots.js';
import { NeighborBuffer } from '../NeighborBuffer.js';
import {
  type NeighborhoodOutput,
  type NeighborhoodPlan,
  slots as names,
  threadSlots,
  totalsOf,
} from '../NeighborhoodPlan.js';

/** What the functor reads of particles themselves, by field. */
export type CentralValues = ReadonlyMap<string, LaneValue>;

/** What the stages of a kernel over rows share: the function they write, what it has read at its start, and its locals. */
export interface RowSetting {
  readonly f: FunctionBuilder;
  readonly args: ArgumentLayout;
  readonly plan: NeighborhoodPlan;
  /** Numbers of the particles that go side by side. */
  readonly parts: LaneParts;
  readonly slots: PairSlots;
  /** Reads an address of the thread's record, once at the start. */
  readonly fromThread: (offset: number) => WasmNode;
  readonly positions: WasmNode;
  readonly shifts: WasmNode;
  readonly cutoff2: WasmNode;
  readonly entries: WasmNode;
  readonly lastEntry: WasmNode;
  readonly indices: WasmNode;
  readonly buffer: NeighborBuffer;
  /** Where fields begin, in the order of the plan. */
  readonly centralBases: readonly WasmNode[];
  readonly neighborBases: readonly WasmNode[];
  readonly lookedBases: readonly WasmNode[];
  readonly scatterBases: readonly WasmNode[];
  /** Where an output block begins; read when it is first asked for. */
  readonly outputBase: (block: string) => WasmNode;
  readonly parameters: PairParameters;
  /** Sums over all particles of this thread. */
  readonly totals: readonly { readonly output: NeighborhoodOutput; readonly sum: number }[];
  /** What the particles themselves receive, in f64 or i32. */
  readonly owned: readonly OwnedOutput[];
  /** Values of the functor's context. */
  readonly context: ReadonlyMap<string, { readonly type: ValueType; readonly locals: number[] }>;
}

export interface OwnedOutput {
  readonly output: NeighborhoodOutput;
  readonly locals: readonly number[];
}

/** Begins the function: reads the argument record and the thread's own, and makes the locals. */
export function rowSetting(plan: NeighborhoodPlan): RowSetting {
  const { real, lanes } = plan;
  const f = new FunctionBuilder('run', ['i32', 'i32', 'i32', 'i32']);
  const args = new ArgumentLayout();
  const parts = new LaneParts(f, plan);
  const slots = new PairSlots(f, args);

  const positions = slots.address(slotNames.positions);
  const shifts = slots.address(slotNames.shifts);
  const cutoff2 = slots.f64(slotNames.cutoff2);
  const recordBytes = i32.const(threadSlots.bytes(plan));
  const thread = slots.once(
    i32.add(slots.address(slotNames.threads), i32.mul(f.param(3), recordBytes)),
  );
  const fromThread = (offset: number) => slots.once(address(i32.load(thread, offset)));
  const entries = fromThread(threadSlots.entries);
  const lastEntry = fromThread(threadSlots.last);
  const indices = fromThread(threadSlots.indices);
  const capacity = slots.i32(names.capacity);
  const bufferAt = fromThread(threadSlots.buffer);
  const buffer = new NeighborBuffer(f, parts, plan, bufferAt, capacity, (value) =>
    slots.once(value),
  );
  const centralBases = plan.central.map(({ field }) => slots.address(slotNames.central(field)));
  const neighborBases = plan.neighbor.map(({ field }) => slots.address(slotNames.neighbor(field)));
  const lookedBases = plan.looked.map(({ field }) => slots.address(names.looked(field)));
  const scatterBases = plan.scatterBlocks.map((_, k) => fromThread(threadSlots.outputs + 4 * k));
  const parameters = pairParameters(f, slots, plan, { lanes, real });
  const totals = totalsOf(plan).map((output) => ({ output, sum: f.local('f64') }));
  const owned = plan.outputs
    .filter((output) => output.central !== 'none')
    .map((output) => ({ output, locals: parts.locals(parts.sum(output.type)) }));
  const context = new Map(
    plan.context.map(({ field, type }) => [field, { type, locals: parts.locals(parts.own(type)) }]),
  );
  return {
    f,
    args,
    plan,
    parts,
    slots,
    fromThread,
    positions,
    shifts,
    cutoff2,
    entries,
    lastEntry,
    indices,
    buffer,
    centralBases,
    neighborBases,
    lookedBases,
    scatterBases,
    outputBase: basesOf(slots),
    parameters,
    totals,
    owned,
    context,
  };
}

function basesOf(slots: PairSlots): (block: string) => WasmNode {
  const bases = new Map<string, WasmNode>();
  return (block) => {
    const base = bases.get(block) ?? slots.address(names.output(block));
    bases.set(block, base);
    return base;
  };
}

/** Fields of a particle that the functor reads, as locals. */
export function loadCentral({ f, plan, centralBases }: RowSetting, i: WasmNode): CentralValues {
  return new Map(
    plan.central.map((field, k): [string, LaneValue] => {
      const node = f.keep(loadScalar(field, centralBases[k]!, i, plan.real));
      return [field.field, { uniform: true, type: field.type, node }];
    }),
  );
}

/** Fields of particles that go side by side. */
export function together(
  { plan, parts }: RowSetting,
  each: readonly CentralValues[],
): CentralValues {
  return new Map(
    plan.central.map(({ field, type }): [string, LaneValue] => {
      const kind = parts.own(type);
      const nodes = each.map((values) => values.get(field)!.node);
      return [field, parts.value(type, kind, parts.joined(kind, nodes))];
    }),
  );
}

/** An f64 in the functor's own width. */
export const narrowed = ({ plan }: RowSetting, value: WasmNode): WasmNode =>
  plan.real === 'f32' ? f32.demote_f64(value) : value;
