import { type CellCall, type FunctorIR, sumOutputs } from '@corpuscle/patterns';
import { packColumns, storeColumn } from './data/columns.js';
import { packParameters } from './data/parameters.js';
import type { KernelStore } from './KernelStore.js';

/** Runs a cell functor over all particles. All kernels read the state from before the call. */
export function computeCells(
  kernels: KernelStore,
  { grid, params }: CellCall,
  ir: FunctorIR,
): void {
  const sums = sumOutputs(ir);
  const written = [...sums.keys()];
  if (grid.count === 0) return;
  const results = kernels.get(ir, written).map(({ plan, kernel }) => ({
    plan,
    values: kernel(
      grid.count,
      packColumns(grid, plan.fields),
      packParameters(plan.parameters, params),
      grid.count,
      0,
    ),
  }));
  for (const { plan, values } of results)
    plan.outputs.forEach((field, component) => {
      storeColumn(grid, field, values, component, plan.carried.has(field) ? 'set' : 'add');
    });
}
