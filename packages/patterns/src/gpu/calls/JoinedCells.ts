import type { Grid } from '@corpuscle/core';
import type { ParameterValues } from '../../plan/calls.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { type BoundBlocks, boundBlocks } from '../pattern/BoundBlocks.js';
import {
  CELL_LANES,
  type CellKernelText,
  type CellParts,
  cellKernel,
} from '../pattern/cellKernel.js';
import type { FoldedSums } from '../pattern/FoldedSums.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { Residency } from '../residency/Residency.js';
import { frameValues } from '../wgsl/frameWgsl.js';

type Values = Record<string, number | readonly number[]>;

/** Buffers of blocks, and the frame of positions, at one moment. */
export interface CapturedBlocks {
  readonly blocks: readonly GPUBuffer[];
  readonly frame: PositionFrame | null;
}

/** Cell functors in a row on one grid, and what comes after them, as one kernel: a particle's rows are loaded once and stored once. */
export class JoinedCells {
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #grid: Grid;
  readonly #parts: CellParts;
  #text: CellKernelText | null = null;
  /** What the text was made for. */
  #strain: DeviceStrain | undefined;
  #kernel: GpuKernel | null = null;
  /** Parameters of the kernel, and what they were last made from. */
  readonly #values: Values = {};
  readonly #params: ParameterValues[] = [];
  #frame: PositionFrame | null = null;

  constructor(gpu: GpuDevice, residency: Residency, grid: Grid, parts: CellParts) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#grid = grid;
    this.#parts = parts;
  }

  /** The kernel before it is compiled, and what it uses. */
  get text(): CellKernelText {
    const strain = strainOf(this.#grid);
    if (this.#text === null || strain !== this.#strain) {
      const { state } = this.#gpu.reals;
      this.#text = cellKernel(this.#parts, this.#grid, false, state);
      this.#strain = strain;
      this.#kernel = null;
      this.#frame = null;
      this.#params.length = 0;
    }
    return this.#text;
  }

  /** Whether it writes positions. */
  get moves(): boolean {
    return this.text.blocks.some(({ name, written }) => written && name === 'position');
  }

  /** Its blocks and their device copies. */
  get bound(): BoundBlocks {
    return boundBlocks(this.#grid, this.#residency, this.text.blocks);
  }

  /** What it works on at this moment; it counts as written from now on. */
  capture(): CapturedBlocks {
    const { bound } = this;
    const blocks = bound.buffers();
    bound.written();
    const frame = this.#residency.peek(this.#grid.block('position'))?.frame ?? null;
    return { blocks, frame };
  }

  /**
   * Records it.
   * @param params of each functor, those of reductions last. @param captured what it works on, if that is of an earlier moment.
   * @param sums where the reductions leave what they find.
   */
  record(
    params: readonly ParameterValues[],
    displacements: DisplacementTarget | null,
    { blocks, frame }: CapturedBlocks = this.capture(),
    sums: FoldedSums | null = null,
  ): void {
    const { text } = this;
    this.#kernel ??= this.#gpu.kernel(text.source);
    const values = this.#values;
    const buffers = blocks.slice();
    for (let k = 0; k < params.length; k++) {
      const tables = text.tables[k]!;
      const given = params[k]!;
      if (this.#params[k] !== given) tables.put(given, values);
      this.#params[k] = given;
      if (tables.hasTables) buffers.push(tables.buffer(this.#gpu, text.source.label, given));
    }
    if ((text.usesFrame || displacements) && this.#frame !== frame) {
      Object.assign(values, frameValues(frame!));
      this.#frame = frame;
    }
    const { count } = this.#grid;
    if (sums) {
      values.one = 1;
      values.groups = Math.ceil(count / CELL_LANES);
      buffers.push(sums.reserve(count, CELL_LANES));
    }
    if (displacements) {
      Object.assign(values, displacements.values);
      buffers.push(...displacements.buffers);
    }
    values.count = count;
    this.#gpu.stream.dispatchThreads(this.#kernel, buffers, values, count);
  }
}
