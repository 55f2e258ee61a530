import { FieldBlock, type NeighborList } from '@corpuscle/core';
import type { PairCall, Totals } from '../../plan/calls.js';
import type { CpuServices } from '../CpuServices.js';
import { launch } from '../neighbors/launch.js';
import { neighborList } from '../neighbors/updateNeighbors.js';
import { bindParameters, imageShifts } from '../pair/bindArguments.js';
import { PairState } from '../pair/PairState.js';
import { storageShift } from '../pair/wasm/Lanes.js';
import { slotNames } from '../pair/wasm/pairSlots.js';
import { perGrid } from '../perGrid.js';
import { addScattered, type ScatterBuffer, type ScatterBuffers } from './addScattered.js';
import { compileNeighborhood } from './compileNeighborhood.js';
import { directNeighborhoods } from './directNeighborhoods.js';
import {
  bufferArrays,
  type NeighborhoodPlan,
  slots,
  threadSlots,
  totalsOf,
} from './NeighborhoodPlan.js';
import { type RowShares, rowShares } from './rowBounds.js';

/** Rows handed to a kernel at once. */
const CHUNK = 128;

const stateOf = perGrid((grid) => new PairState(grid.heap));

/**
 * Calls a functor of neighborhoods once for every particle, on all threads, and returns the outputs that were asked for as
 * totals. What neighbors receive is collected in a buffer of each thread and added up in their order.
 *
 * @throws CorpuscleError NO_NEIGHBOR_LISTS when `updateNeighbors` has not been called for this cutoff.
 */
export function computeNeighborhoods(services: CpuServices, call: PairCall): Totals {
  const { grid, functor, rcut } = call;
  services.rows.flush();
  const list = neighborList(services, grid, 'full', rcut);
  if (functor.ir === null)
    return services.pool.main.directly(functor.name, (piece) =>
      directNeighborhoods(list, call, piece),
    );
  const { plan, kernel } = compileNeighborhood(services, call);
  const state = stateOf(grid);
  const shares = rowShares(services.heap, list, grid.count, grid.sortVersion);
  try {
    const { values, buffers } = bind(services, state, call, plan, list, shares);
    const schedule = { kind: 'static', bounds: shares.bounds, chunk: CHUNK } as const;
    launch(services, state.record, kernel, values, { end: grid.count, schedule });
    addScattered(services, state, grid, buffers);
  } catch (error) {
    state.discardBuffers();
    throw error;
  }
  for (const { place } of plan.outputs) if (place) grid.block(place.block).hostWritten();
  return collectTotals(services, state, plan, list.segments.length);
}

function bind(
  services: CpuServices,
  state: PairState,
  call: PairCall,
  plan: NeighborhoodPlan,
  list: NeighborList,
  { longest }: RowShares,
): { values: Record<string, number>; buffers: ScatterBuffers } {
  const { heap } = services;
  const { grid, rcut } = call;
  const threads = list.segments.length;
  const capacity = 2 ** Math.ceil(Math.log2(Math.max(8, longest + 1))); // one is written that may not count
  const values: Record<string, number> = {
    [slotNames.positions]: grid.block('position').address,
    [slotNames.cutoff2]: rcut * rcut,
    [slotNames.shifts]: imageShifts(services, state, call, list, false),
    [slots.capacity]: capacity,
  };
  for (const [places, name] of [
    [plan.central, slotNames.central],
    [plan.neighbor, slotNames.neighbor],
    [plan.looked, slots.looked],
  ] as const) {
    for (const { field, block, component, storage } of places)
      values[name(field)] = grid.block(block).address + (component << storageShift[storage]);
  }
  for (const { place } of plan.outputs)
    if (place) values[slots.output(place.block)] = grid.block(place.block).address;
  bindParameters(services, state, call, plan, values);
  const totals = totalsOf(plan).length;
  const totalsAddress = state.totals.reserve(8 * Math.max(1, totals * threads));
  heap.f64(totalsAddress, Math.max(1, totals * threads)).fill(0);
  const perNeighbor = plan.lanes * bufferArrays(plan).reduce((sum, { bytes }) => sum + bytes, 0);
  const perThread = capacity * perNeighbor;
  const scratch = state.scratch.reserve(perThread * threads);
  const buffers = new Map<string, ScatterBuffer[]>();
  const bytes = threadSlots.bytes(plan);
  values[slotNames.threads] = state.threads.reserve(bytes * threads);
  const record = heap.i32(state.threads.address, (bytes * threads) / 4);
  list.segments.forEach((segment, t) => {
    const outputs = plan.scatterBlocks.map((name) => {
      const block = grid.block(name);
      if (threads === 1) return block.address;
      const { width, type } = block.spec;
      const size = (type === 'f64' ? 8 : 4) * width * (grid.count + FieldBlock.DUMMIES);
      const address = state.buffer(`${name} ${t}`).reserve(size);
      const buffer = { address, rows: segment.borderRows };
      buffers.set(name, [...(buffers.get(name) ?? []), buffer]);
      return address;
    });
    const own = [
      segment.entries,
      segment.entries + 16 * segment.entryCount,
      segment.indices,
      totalsAddress + 8 * totals * t,
      scratch + perThread * t,
      ...outputs,
    ];
    record.set(
      own.map((address) => heap.word(address)),
      (bytes / 4) * t,
    );
  });
  return { values, buffers };
}

function collectTotals(
  { heap }: CpuServices,
  state: PairState,
  plan: NeighborhoodPlan,
  threads: number,
): Totals {
  const outputs = totalsOf(plan);
  const partial = heap.f64(state.totals.address, outputs.length * threads);
  const totals: Totals = {};
  outputs.forEach(({ field }, k) => {
    let sum = 0;
    for (let t = 0; t < threads; t++) sum += partial[t * outputs.length + k]!;
    totals[field] = sum;
  });
  return totals;
}
