import { type CellCall, type FunctorIR, sumOutputs } from '@corpuscle/patterns';
import { storeColumn } from './data/columns.js';
import type { KernelStore } from './KernelStore.js';
import { runOnParticles } from './runOnParticles.js';

/** Runs a cell functor over all particles. All kernels read the state from before the call. */
export function computeCells(kernels: KernelStore, call: CellCall, ir: FunctorIR): void {
  const { grid } = call;
  const written = [...sumOutputs(ir).keys()];
  if (grid.count === 0) return;
  for (const { plan, values } of runOnParticles(kernels.get(ir, written), call))
    plan.outputs.forEach((field, component) => {
      storeColumn(grid, field, values, component, plan.carried.has(field) ? 'set' : 'add');
    });
}
