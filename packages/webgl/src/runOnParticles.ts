import type { CellCall, ReduceCall } from '@corpuscle/patterns';
import { packColumns } from './data/columns.js';
import { packParameters } from './data/parameters.js';
import type { CompiledPlan } from './KernelStore.js';
import type { KernelPlan } from './print/kernelSource.js';

export interface ParticleResults {
  readonly plan: KernelPlan;
  /** By row and output. */
  readonly values: ArrayLike<ArrayLike<number>>;
}

/** Runs kernels that take one particle a thread. All of them read the state from before the call; nothing is stored yet. */
export function runOnParticles(
  compiled: readonly CompiledPlan[],
  { grid, params }: Pick<CellCall | ReduceCall, 'grid' | 'params'>,
): ParticleResults[] {
  return compiled.map(({ plan, kernel }) => ({
    plan,
    values: kernel(
      grid.count,
      packColumns(grid, plan.fields),
      packParameters(plan.parameters, params),
      grid.count,
      0,
    ),
  }));
}
