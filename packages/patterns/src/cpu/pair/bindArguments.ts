import {
  type Domain,
  FieldBlock,
  type Grid,
  type NeighborList,
  type RowRange,
} from '@corpuscle/core';
import type { CpuServices } from '../CpuServices.js';
import { compressSwizzles } from '../neighbors/compressSwizzles.js';
import { imageTable } from '../neighbors/imageTable.js';
import { putOff, type RecordValues } from '../neighbors/launch.js';
import { neighborState } from '../neighbors/NeighborState.js';
import type { RowWork } from '../RowQueue.js';
import { borderBuffers } from './borderBuffers.js';
import { fixedPointUnit, PADDING_W, toFixedPoint } from './fixedPoint.js';
import {
  type OutputBlock,
  outputBlocks,
  scratchBytes,
  threadRecord,
  totalsOfThread,
} from './outputBlocks.js';
import type { PairPlan } from './PairPlan.js';
import type { PairState } from './PairState.js';
import type { PairWork } from './pairPattern.js';
import { fixedPointKernel } from './reduceKernels.js';
import { storageShift } from './wasm/Lanes.js';
import { slotNames } from './wasm/pairSlots.js';

export interface BoundArguments {
  readonly values: RecordValues;
  /** First entry of each piece of the list, counting over all, and the end. */
  readonly bounds: readonly number[];
  /** What to add to each output block, in this order. */
  readonly buffers: ReadonlyMap<string, readonly BufferRows[]>;
  /** How the buffers are added up; made when they first are. */
  reductions: readonly RowWork[] | null;
}

/** Rows of a buffer that may be something else than zeros. */
export interface BufferRows extends RowRange {
  /** Address of row 0. */
  readonly address: number;
}

/** What addresses depend on. */
interface BoundTo {
  readonly plan: PairPlan;
  readonly list: NeighborList;
  readonly sortVersion: number;
  /** Shifts of images alone depend on it. */
  domain: Domain;
  readonly rcut: number;
}

const fixedParts = ['plan', 'list', 'sortVersion', 'rcut'] as const satisfies (keyof BoundTo)[];

/** A call whose addresses are known; they hold for the same call until the next sort. */
export interface BoundCall extends BoundArguments, BoundTo {
  readonly values: Record<string, number>;
}

/** Fills in everything a pair kernel finds by address, and returns its argument record. */
export function bindArguments(
  services: CpuServices,
  state: PairState,
  work: PairWork,
  plan: PairPlan,
  list: NeighborList,
): BoundArguments {
  const { grid, rcut } = work;
  const to: BoundTo = { plan, list, sortVersion: grid.sortVersion, domain: grid.domain, rcut };
  let { bound } = state;
  if (!bound || fixedParts.some((key) => bound![key] !== to[key])) {
    bound = { ...to, ...bindAddresses(services, state, work, plan, list), reductions: null };
    state.bound = bound;
  } else if (bound.domain !== grid.domain) {
    bound.domain = grid.domain;
    const singles = plan.scaffold === 'lanes4';
    bound.values[slotNames.shifts] = imageShifts(services, state, work, list, singles);
  }
  bindParameters(services, state, work, plan, bound.values);
  const totals = totalsOfThread(plan) * (bound.bounds.length - 1);
  if (totals > 0) services.heap.f64(state.totals.address, totals).fill(0);
  return bound;
}

function bindAddresses(
  services: CpuServices,
  state: PairState,
  work: PairWork,
  plan: PairPlan,
  list: NeighborList,
): Pick<BoundCall, 'values' | 'bounds' | 'buffers'> {
  const { heap } = services;
  const { grid } = work;
  const blocks = outputBlocks(plan);
  const totals = totalsOfThread(plan);
  const pieces = list.pieces();
  const singles = plan.scaffold === 'lanes4';
  const bounds = [0];
  for (const { count } of pieces) bounds.push(bounds[bounds.length - 1]! + count);
  const values: Record<string, number> = {
    [slotNames.positions]: singles ? state.singles.address : grid.block('position').address,
    [slotNames.cutoff2]: work.rcut * work.rcut,
    [slotNames.shifts]: imageShifts(services, state, work, list, singles),
  };
  for (const [places, name] of [
    [plan.central, slotNames.central],
    [plan.neighbor, slotNames.neighbor],
  ] as const) {
    for (const { field, block, component, storage } of places) {
      values[name(field)] = grid.block(block).address + (component << storageShift[storage]);
    }
  }
  if (singles) values[slotNames.unit] = unitOf(grid);
  if (plan.form === 'buffered') {
    values[slotNames.compress] = compressTable(services, state);
  }
  const totalsAddress = state.totals.reserve(8 * Math.max(1, totals * pieces.length));
  const scratchSize = scratchBytes(plan);
  const scratch = state.scratch.reserve(scratchSize * pieces.length);
  const buffers = blocks.map((block) => bindBuffers(state, grid, plan, list, block));
  const bytes = threadRecord.bytes(blocks.length);
  values[slotNames.threads] = state.threads.reserve(bytes * pieces.length);
  const words: number[] = [];
  const word = (place: number) => heap.word(place);
  pieces.forEach(({ segment, address, isBorder }, t) => {
    const of = list.segments[segment]!;
    const entries = [word(address), word(of.indices), bounds[t]!];
    const own = [totalsAddress + 8 * totals * t, scratch + scratchSize * t].map(word);
    const outputs = buffers.map(({ inside, borders }) => (isBorder ? borders[segment]! : inside));
    words.push(...entries, ...own, of.padding, ...outputs.map(word));
  });
  heap.i32(state.threads.address, words.length).set(words);
  const added = new Map(blocks.map(({ block }, k) => [block, buffers[k]!.added]));
  return { values, bounds, buffers: added };
}

/** Where the pieces of a list write an output block: rows that one segment alone names, and borders by segment. */
interface BlockBuffers {
  readonly inside: number;
  readonly borders: readonly number[];
  readonly added: readonly BufferRows[];
}

function bindBuffers(
  state: PairState,
  grid: Grid,
  plan: PairPlan,
  list: NeighborList,
  { block, width, storage }: OutputBlock,
): BlockBuffers {
  const { address } = grid.block(block);
  if (plan.buffers === 'none')
    return { inside: address, borders: list.segments.map(() => address), added: [] };
  const size = plan.buffers === 'f32' || storage !== 'f64' ? 4 : 8;
  const rows = grid.count + FieldBlock.DUMMIES;
  const buffer = (name: string | number) =>
    state.buffer(`${block} ${plan.buffers} ${name}`).reserve(size * width * rows);
  const added: BufferRows[] = [];
  let inside = address;
  if (plan.buffers === 'f32') {
    inside = buffer('inside');
    added.push({ address: inside, first: 0, end: grid.count });
  }
  const numbers = borderBuffers(list, grid.sortVersion);
  const borders = list.segments.map(({ borderRows }, t) => {
    if (borderRows.length === 0) return 0; // no entry writes there
    const border = buffer(numbers[t]!);
    added.push(...borderRows.map((range) => ({ ...range, address: border })));
    return border;
  });
  return { inside, borders, added };
}

/** Values of the parameters; tables are copied to the heap. */
export function bindParameters(
  { heap }: CpuServices,
  state: PairState,
  { functor, params }: Pick<PairWork, 'functor' | 'params'>,
  plan: Pick<PairPlan, 'real' | 'parameters'>,
  values: Record<string, number>,
): void {
  const singles = plan.real === 'f32';
  for (const { name, type, table, packed } of plan.parameters) {
    const value = params[name]!; // plans have checked parameters
    const slot = slotNames.parameter(name);
    if (!table) {
      values[slot] = typeof value === 'number' ? value : value[0]!;
      continue;
    }
    const numbers = typeof value === 'number' ? [value] : value;
    const { group, column, shift } = packed ?? { group: name, column: 0, shift: 0 };
    const address = state
      .buffer(`table ${functor.name} ${group} ${plan.real} ${1 << shift}`)
      .reserve((8 * numbers.length) << shift);
    if (type !== 'real') heap.i32(address, numbers.length).set(numbers);
    else {
      const memory = heap[singles ? 'f32' : 'f64'](address, numbers.length << shift);
      if (!packed) memory.set(numbers);
      else for (let k = 0; k < numbers.length; k++) memory[(k << shift) + column] = numbers[k]!;
    }
    values[slot] = address;
    values[slotNames.last(name)] = numbers.length - 1;
  }
}

function compressTable({ heap }: CpuServices, state: PairState): number {
  const table = state.buffer('compress');
  if (table.address === 0) {
    // Reserving may grow the heap, which replaces the buffer.
    const address = table.reserve(256);
    new Uint8Array(heap.memory.buffer, address, 256).set(compressSwizzles());
  }
  return table.address;
}

/** The shifts of all images that lists name, in the layout of the positions in use. */
export function imageShifts(
  { heap }: CpuServices,
  state: PairState,
  { grid }: Pick<PairWork, 'grid'>,
  list: NeighborList,
  singles: boolean,
): number {
  const shifts = imageTable(list, grid.domain);
  const address = state.shifts.reserve(32 * shifts.length);
  const unit = singles ? unitOf(grid) : 0;
  const rows = singles
    ? heap.i32(address, 4 * shifts.length)
    : heap.f64(address, 4 * shifts.length);
  shifts.forEach((shift, image) => {
    for (let k = 0; k < 3; k++)
      rows[4 * image + k] = singles ? toFixedPoint(shift[k]!, unit) : shift[k]!;
    rows[4 * image + 3] = 0; // doubles may have been there
  });
  return address;
}

/** Puts off a copy of the positions in fixed point. */
export function narrowPositions(
  services: CpuServices,
  state: PairState,
  { grid }: Pick<PairWork, 'grid'>,
): void {
  const target = state.singles.reserve(16 * (grid.count + FieldBlock.DUMMIES));
  const padding = services.heap.i32(target + 16 * grid.count, 4 * FieldBlock.DUMMIES);
  for (let k = 0; k < padding.length; k++) padding[k] = (k & 3) === 3 ? PADDING_W : 0;
  const block = grid.block('position');
  const values = { source: block.place, target, scale: 1 / unitOf(grid) };
  putOff(services, state.buffer('narrow record'), fixedPointKernel(), values, {
    grid,
    blocks: [block],
  });
}

const unitOf = (grid: Grid): number => fixedPointUnit(neighborState(grid).lists.radius);
