import type { Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { type CellKernelText, type CellParts, cellKernel } from '../kernels/cellKernel.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { CallSums } from '../values/CallSums.js';

/** A kernel of cell functors and reductions, compiled when it is first used. */
export class CellProgram {
  readonly text: CellKernelText;
  readonly #gpu: GpuDevice;
  #kernel: GpuKernel | null = null;
  #sums: CallSums | null = null;

  constructor(gpu: GpuDevice, text: CellKernelText) {
    this.#gpu = gpu;
    this.text = text;
  }

  get kernel(): GpuKernel {
    this.#kernel ??= this.#gpu.kernel(this.text.source);
    return this.#kernel;
  }

  /** The second level of its reductions, where they are made by themselves. */
  get sums(): CallSums {
    const { source, results } = this.text;
    this.#sums ??= new CallSums(this.#gpu, source.label, results);
    return this.#sums;
  }
}

/** Kernels of cell functors and reductions; those of one functor alone are kept for its next call. */
export class CellPrograms {
  readonly #gpu: GpuDevice;
  readonly #kept = new KernelCache<CellProgram>();

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  of(parts: CellParts, grid: Grid): CellProgram {
    const { functors, sums = [], notes = false, listed = false, values } = parts;
    const build = () => new CellProgram(this.#gpu, cellKernel(parts, grid, this.#gpu.reals.state));
    const [functor, ...others]: readonly Functor[] = [...functors, ...sums];
    if (!functor || others.length > 0 || notes || values) return build();
    const key = `${listed}${layoutKey(grid, Object.keys(functor.ir!.roles.i ?? {}))}`;
    return this.#kept.get(functor, key, build);
  }
}
