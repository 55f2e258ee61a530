import type { Functor } from '@corpuscle/functor';
import type { CellCall } from '../../plan/calls.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { Residency } from '../residency/Residency.js';
import { type CellKernelText, cellKernel } from './cellKernel.js';
import { KernelCache } from './KernelCache.js';
import { layoutKey, ParticleAccess, particleBuffers } from './ParticleAccess.js';
import type { RowLists } from './RowLists.js';

type ListedKernel = Omit<CellKernelText, 'source'> & { readonly kernel: GpuKernel };

/** Cell functors over a list of rows: one thread an entry of the list. */
export class ListedCells {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #lists: RowLists;
  readonly #kernels = new KernelCache<ListedKernel>();

  constructor(gpu: GpuDevice, residency: Residency, lists: RowLists) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#lists = lists;
  }

  run({ functor, grid, params, rows }: CellCall): void {
    const count = rows!.length;
    if (count === 0) return;
    const key = layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}));
    const built = this.#kernels.get(functor as Functor, key, () => {
      const { source, ...rest } = cellKernel(
        { functors: [functor] },
        grid,
        true,
        this.#gpu.reals.state,
      );
      return { ...rest, kernel: this.#gpu.kernel(source) };
    });
    const [tables] = built.tables;
    const { buffers, written } = particleBuffers(grid, this.#residency, built.blocks);
    if (tables!.hasTables) buffers.push(tables!.buffer(this.#gpu, functor.name, params));
    buffers.push(this.#lists.buffer(rows!));
    const frame = built.usesFrame
      ? ParticleAccess.frameValues(this.#residency.ensurePositions(grid).frame)
      : {};
    const values = { ...tables!.values(params), ...frame, count };
    this.#gpu.stream.dispatchThreads(built.kernel, buffers, values, count);
    written();
  }
}
