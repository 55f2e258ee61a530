import type { Grid, NeighborList } from '@corpuscle/core';
import type { FunctorIR, HostServices, PairCall, Totals } from '@corpuscle/patterns';
import { packColumns, storeColumn } from './data/columns.js';
import { type GatherList, gatherList } from './data/gatherList.js';
import { packParameters } from './data/parameters.js';
import { splitPositions } from './data/positions.js';
import type { KernelStore } from './KernelStore.js';

/** Runs a pair functor in the gather form: one thread a particle walks a full list and keeps its own sums. */
export function computePairs(
  kernels: KernelStore,
  host: HostServices,
  call: PairCall,
  ir: FunctorIR,
): Totals {
  const { grid, rcut, params, outputs } = call;
  const wanted = Object.keys(outputs).filter((field) => outputs[field] !== 'none');
  const totals: Totals = {};
  for (const field of wanted) if (outputs[field] !== 'particles') totals[field] = 0;
  if (grid.count === 0 || wanted.length === 0) return totals;
  const full = host.neighborList(grid, 'full', rcut);
  const { ranges, list } = gathered(full, grid);
  const { positions, shifts } = splitPositions(grid, full.images);
  const results = kernels.get(ir, wanted).map(({ plan, kernel }) => ({
    plan,
    values: kernel(
      grid.count,
      positions,
      ranges,
      list,
      shifts,
      packColumns(grid, plan.fields),
      packParameters(plan.parameters, params),
      grid.count,
      rcut * rcut,
      0,
    ),
  }));
  for (const { plan, values } of results)
    plan.outputs.forEach((field, component) => {
      const carried = plan.carried.has(field);
      if (field in totals) totals[field]! += change(grid, field, values, component, carried);
      if (outputs[field] !== 'total')
        storeColumn(grid, field, values, component, carried ? 'set' : 'add');
    });
  return totals;
}

/** The sum over all particles of what a call added. */
function change(
  grid: Grid,
  field: string,
  values: ArrayLike<ArrayLike<number>>,
  component: number,
  carried: boolean,
): number {
  let sum = 0;
  const place = carried && grid.hasField(field) ? grid.field(field) : null;
  const block = place ? grid.block(place.block) : null;
  for (let row = 0; row < grid.count; row++) {
    sum += values[row]![component]!;
    if (place && block) sum -= Number(block.array[row * block.spec.width + place.component]);
  }
  return sum;
}

const lists = new WeakMap<NeighborList, { version: number; gathered: GatherList }>();

function gathered(full: NeighborList, grid: Grid): GatherList {
  const kept = lists.get(full);
  if (kept?.version === grid.sortVersion) return kept.gathered;
  const made = gatherList(full, grid.count);
  lists.set(full, { version: grid.sortVersion, gathered: made });
  return made;
}
