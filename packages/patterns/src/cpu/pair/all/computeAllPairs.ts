import { FieldBlock, type Grid, nearestImages } from '@corpuscle/core';
import type { AllPairs } from '../../../plan/AllPairs.js';
import type { Totals } from '../../../plan/calls.js';
import type { CpuServices } from '../../CpuServices.js';
import type { Kernel } from '../../Kernel.js';
import { launch, type RecordValues } from '../../neighbors/launch.js';
import { bindParameters } from '../bindArguments.js';
import { outputBlocks, threadRecord, totalOutputs } from '../outputBlocks.js';
import { type PairPlan, pairPlan, planKey } from '../PairPlan.js';
import { type PairState, pairState } from '../PairState.js';
import type { PairWork } from '../pairPattern.js';
import { reduceKernels, reductionEntry } from '../reduceKernels.js';
import { storageShift } from '../wasm/Lanes.js';
import { slotNames } from '../wasm/pairSlots.js';
import { directTiles } from './directTiles.js';
import { imageValues, packNeighbors, rowsByLabel, rowsOf } from './packNeighbors.js';
import { tileKernel } from './tileKernel.js';

/** Central particles handed out at once. */
const CHUNK = 64;
const kernels = new WeakMap<object, Map<string, Kernel>>();

/** Calls a pair functor for all pairs of two sets of particles; see `AllPairsOptions`. */
export function computeAllPairs(services: CpuServices, work: PairWork, all: AllPairs): Totals {
  const { grid, functor } = work;
  services.rows.flush();
  const images = nearestImages(grid.domain, all.images);
  const byLabel = all.labels === null ? null : rowsByLabel(grid, all.labels);
  const central = rowsOf(grid, all.central, byLabel);
  const isOneSet = all.neighbors === all.central;
  const neighbors = isOneSet ? central : rowsOf(grid, all.neighbors, byLabel);
  const starts = all.starts && (all.starts.values as Uint32Array);
  const direct = () => directTiles(work, { central, neighbors, starts }, images);
  if (functor.ir === null || services.lowering !== 'simd' || starts) return direct();
  const plan = planOf(services, work, central === neighbors);
  if (plan.scaffold !== 'lanes2') return direct();
  const state = pairState(grid);
  const kernel = kernelOf(plan, functor, images.kind);
  const threads = plan.buffers === 'none' && plan.list === 'half' ? 1 : services.parts;
  const bounds = boundsOf(central.length, threads, plan.list === 'half');
  const packed = packNeighbors(services.heap, state, grid, central, neighbors);
  const outputs = bindOutputs(services, state, grid, plan, threads);
  const values: Record<string, number> = {
    [slotNames.positions]: grid.block('position').address,
    [slotNames.cutoff2]: work.rcut * work.rcut,
    ...packed,
    ...imageValues(services.heap, state, images, work.rcut),
    ...outputs.values,
  };
  for (const [places, name] of [
    [plan.central, slotNames.central],
    [plan.neighbor, slotNames.neighbor],
  ] as const)
    for (const { field, block, component, storage } of places)
      values[name(field)] = grid.block(block).address + (component << storageShift[storage]);
  bindParameters(services, state, work, plan, values);
  try {
    launch(services, state.buffer('all pairs'), kernel, values as RecordValues, {
      end: central.length,
      schedule: { kind: 'static', bounds, chunk: CHUNK },
    });
    addBuffers(services, state, grid, plan, outputs.buffers);
  } catch (error) {
    state.discardBuffers();
    throw error;
  }
  for (const { block } of outputBlocks(plan)) grid.block(block).hostWritten();
  return totalsOf(services, plan, outputs.totals, threads);
}

/** All pairs are computed in doubles: only what is in reach costs more than its distance. */
function planOf(services: CpuServices, work: PairWork, same: boolean): PairPlan {
  const { heap, pool, rows, deterministic, relaxed, lowering, parts } = services;
  const precision = 'f64';
  const exact = { heap, pool, rows, deterministic, relaxed, lowering, parts, precision } as const;
  const plan = pairPlan(exact, { ...work, form: 'bufferless' });
  return same || plan.list === 'full' ? plan : { ...plan, list: 'full', buffers: 'none' };
}

function kernelOf(plan: PairPlan, functor: object, kind: Parameters<typeof tileKernel>[1]): Kernel {
  let known = kernels.get(functor);
  if (!known) {
    known = new Map();
    kernels.set(functor, known);
  }
  const key = `${kind} ${planKey(plan)}`;
  let kernel = known.get(key);
  if (!kernel) {
    kernel = tileKernel(plan, kind, `all pairs ${uniqueId(functor)} ${key}`);
    known.set(key, kernel);
  }
  return kernel;
}

const ids = new WeakMap<object, number>();
let nextId = 0;
function uniqueId(functor: object): number {
  const id = ids.get(functor) ?? nextId++;
  ids.set(functor, id);
  return id;
}

/** Ranges of central particles with equal work: in half mode the k-th meets those after it. */
function boundsOf(count: number, threads: number, half: boolean): number[] {
  return Array.from({ length: threads + 1 }, (_, t) => {
    const share = t / threads;
    return Math.round(count * (half ? 1 - Math.sqrt(1 - share) : share));
  });
}

interface BoundOutputs {
  readonly values: Record<string, number>;
  readonly totals: number;
  /** Buffers of the threads after the first, by block. */
  readonly buffers: ReadonlyMap<string, readonly number[]>;
}

function bindOutputs(
  { heap }: CpuServices,
  state: PairState,
  grid: Grid,
  plan: PairPlan,
  threads: number,
): BoundOutputs {
  const blocks = outputBlocks(plan);
  const count = totalOutputs(plan).length;
  const totals = state.buffer('all pairs: totals').reserve(8 * Math.max(1, count * threads));
  heap.f64(totals, Math.max(1, count * threads)).fill(0);
  const bytes = threadRecord.bytes(blocks.length);
  const record = state.buffer('all pairs: threads').reserve(bytes * threads);
  const buffers = new Map<string, number[]>(blocks.map(({ block }) => [block, []]));
  const words = heap.i32(record, (bytes / 4) * threads);
  for (let t = 0; t < threads; t++) {
    const outputs = blocks.map(({ block, width }) => {
      if (plan.buffers === 'none' || t === 0) return grid.block(block).address;
      const rows = grid.count + FieldBlock.DUMMIES;
      const address = state.buffer(`all pairs: ${block} ${t}`).reserve(8 * width * rows);
      buffers.get(block)!.push(address);
      return address;
    });
    const own = heap.word(totals + 8 * count * t);
    words.set([0, 0, 0, own, 0, 0, ...outputs.map((to) => heap.word(to))], (bytes / 4) * t);
  }
  return { values: { [slotNames.threads]: record }, totals, buffers };
}

function addBuffers(
  services: CpuServices,
  state: PairState,
  grid: Grid,
  plan: PairPlan,
  buffers: BoundOutputs['buffers'],
): void {
  for (const { block, width } of outputBlocks(plan)) {
    const addresses = buffers.get(block)!;
    if (addresses.length === 0) continue;
    const units = Math.ceil((grid.count * width) / 4);
    const bytes = reductionEntry.bytes * addresses.length;
    const table = state.buffer(`all pairs: sums of ${block}`).reserve(bytes);
    const entries = services.heap.i32(table, bytes / 4);
    addresses.forEach((address, k) => {
      entries.set([services.heap.word(address), 0, units, 0], 4 * k);
    });
    const target = grid.block(block).address;
    launch(
      services,
      state.buffer('all pairs: reduce'),
      reduceKernels['f64 f64'](),
      { target, buffers: table, count: addresses.length },
      { end: units, schedule: { kind: 'dynamic', chunk: 2048 } },
    );
  }
}

// A half sweep has seen each pair once: even outputs count for both sides, odd ones cancel.
function totalsOf({ heap }: CpuServices, plan: PairPlan, address: number, threads: number): Totals {
  const outputs = totalOutputs(plan);
  const totals: Totals = {};
  if (outputs.length === 0) return totals;
  const partial = heap.f64(address, outputs.length * threads);
  outputs.forEach(({ field, parity }, k) => {
    let sum = 0;
    for (let t = 0; t < threads; t++) sum += partial[t * outputs.length + k]!;
    totals[field] = plan.list === 'full' ? sum : parity === 'even' ? 2 * sum : 0;
  });
  return totals;
}
