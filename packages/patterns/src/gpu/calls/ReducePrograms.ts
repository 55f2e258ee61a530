import type { Functor } from '@corpuscle/functor';
import type { Plan, ReduceCall } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { CELL_LANES, type CellKernelText, cellKernel } from '../pattern/cellKernel.js';
import type { FunctorTables } from '../pattern/FunctorTables.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { PartialSums } from '../pattern/PartialSums.js';
import { layoutKey } from '../pattern/ParticleAccess.js';

/** Workgroups of a reduction over so many particles. */
export const groupsFor = (count: number): number => Math.ceil(count / CELL_LANES);

/** The kernel of a reduction that is made by itself, and what it uses. */
export interface ReductionProgram {
  readonly text: CellKernelText;
  readonly kernel: GpuKernel;
  readonly tables: FunctorTables;
  readonly sums: PartialSums;
}

/** Kernels of reduce functors, one for each layout of the fields they read. */
export class ReducePrograms {
  readonly #gpu: GpuDevice;
  readonly #kernels = new KernelCache<ReductionProgram>();

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  of({ functor, grid }: Plan<ReduceCall>): ReductionProgram {
    const key = layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}));
    return this.#kernels.get(functor, key, () => {
      const parts = { functors: [], sums: [functor as Functor<'reduce'>] };
      const text = cellKernel(parts, grid, false, this.#gpu.reals.state);
      return {
        text,
        kernel: this.#gpu.kernel(text.source),
        tables: text.tables[0]!,
        sums: new PartialSums(this.#gpu, functor.name, text.results),
      };
    });
  }
}
