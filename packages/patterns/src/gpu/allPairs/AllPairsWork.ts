import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { AllPairsPrograms } from './AllPairsPrograms.js';
import { PackedSets } from './PackedSets.js';

/** Pairs of a dispatch, which keep a device busy for some tenths of a second, and workgroups that it has at least. */
const DISPATCH = { f32: 1e11, f64: 1e10, groups: 512 };

/** What calls over all pairs share: kernels, sets of particles, scratch. */
export class AllPairsWork {
  readonly programs: AllPairsPrograms;
  /** Parts of sums of particles. */
  readonly partial: GrowingBuffer;
  /** Can be set for tests. */
  dispatchLimits = DISPATCH;
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #sets = new WeakMap<Grid, PackedSets>();

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.programs = new AllPairsPrograms(gpu);
    this.partial = new GrowingBuffer(gpu, 'all pairs: partial sums');
  }

  /** The sets of a grid. */
  setsOf(grid: Grid): PackedSets {
    let sets = this.#sets.get(grid);
    if (!sets) {
      sets = new PackedSets(this.#gpu, this.#residency, grid);
      this.#sets.set(grid, sets);
    }
    return sets;
  }
}
