import type { Grid } from '@corpuscle/core';
import type { ParameterValues } from '../../plan/calls.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { type BoundBlocks, boundBlocks } from '../pattern/BoundBlocks.js';
import { BoundParams } from '../pattern/BoundParams.js';
import type { CellKernelText, CellParts } from '../pattern/cellKernel.js';
import { LANES } from '../pattern/KernelPart.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import type { CallSums } from '../values/CallSums.js';
import { placesOf } from '../values/ValuePass.js';
import type { CallRunner } from './CallRunner.js';
import type { CellProgram } from './CellPrograms.js';

/** Buffers of blocks, and the frame of positions, at one moment. */
export interface CapturedBlocks {
  readonly blocks: readonly GPUBuffer[];
  readonly frame: PositionFrame | null;
}

/** What a kernel over particles is recorded with besides parameters. */
export interface CellExtras {
  /** Where displacements are noted. */
  readonly displacements?: DisplacementTarget | null;
  /** What it works on, if that is of an earlier moment. */
  readonly captured?: CapturedBlocks | null;
  /** Where reductions leave what they find. */
  readonly sums?: { reserve(groups: number): GPUBuffer } | null;
  /** The rows to work on, where its parts are `listed`. */
  readonly rows?: Uint32Array;
}

/** Cell functors in a row on one grid, and what comes after them, as one kernel: a particle's rows are loaded once and stored once. */
export class JoinedCells {
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #parts: CellParts;
  #program: CellProgram | null = null;
  /** What the program was made for. */
  #strain: DeviceStrain | undefined;
  #perBlock = 1;
  #params: BoundParams | null = null;

  constructor(runner: CallRunner, grid: Grid, parts: CellParts) {
    this.#runner = runner;
    this.#grid = grid;
    this.#parts = parts;
  }

  get #current(): CellProgram {
    const strain = strainOf(this.#grid);
    const { perBlock = 1 } = this.#parts.values?.sums ?? {};
    const isSame = strain === this.#strain && perBlock === this.#perBlock;
    if (this.#program === null || !isSame) {
      this.#program = this.#runner.cells.of(this.#parts, this.#grid);
      this.#strain = strain;
      this.#perBlock = perBlock;
      this.#params = null;
    }
    return this.#program;
  }

  #newParams(kernel: GpuKernel): BoundParams {
    const params = new BoundParams(kernel);
    const { values } = this.#parts;
    if (values) params.setAll(placesOf(values.sums, values.functors));
    return params;
  }

  /** The kernel before it is compiled, and what it uses. */
  get text(): CellKernelText {
    return this.#current.text;
  }

  /** The second level of its reductions, where they are made by themselves. */
  get sums(): CallSums {
    return this.#current.sums;
  }

  /** Whether it writes positions. */
  get moves(): boolean {
    return this.text.blocks.some(({ name, written }) => written && name === 'position');
  }

  /** Its blocks and their device copies. */
  get bound(): BoundBlocks {
    return boundBlocks(this.#grid, this.#runner.residency, this.text.blocks);
  }

  /** What it works on at this moment; it counts as written from now on. */
  capture(): CapturedBlocks {
    const { bound } = this;
    const blocks = bound.buffers();
    bound.written();
    const frame = this.#runner.residency.peek(this.#grid.block('position'))?.frame ?? null;
    return { blocks, frame };
  }

  /** Records it. @param given parameters of each functor: those of value functors, cell functors, reductions. */
  record(
    given: readonly ParameterValues[],
    { displacements, captured, sums, rows }: CellExtras = {},
  ): void {
    const { gpu, rows: lists } = this.#runner;
    const { text, kernel } = this.#current;
    const { blocks, frame } = captured ?? this.capture();
    this.#params ??= this.#newParams(kernel);
    const params = this.#params;
    if (text.usesFrame || displacements) params.setFrame(frame!);
    const count = rows ? rows.length : this.#grid.count;
    params.set('count', count);
    const buffers = blocks.slice();
    for (let k = 0; k < given.length; k++) {
      const tables = text.tables[k]!;
      params.setGiven(k, tables, given[k]!);
      if (tables.hasTables) buffers.push(tables.buffer(gpu, text.source.label, given[k]!));
    }
    const groups = Math.ceil(count / LANES);
    if (displacements) {
      params.setAll(displacements.values);
      buffers.push(...displacements.buffers);
    }
    const combined = this.#parts.values?.sums;
    if (combined) {
      params.set('groups', combined.groups);
      buffers.push(combined.partials);
    }
    if (sums) {
      params.set('groups', groups);
      buffers.push(sums.reserve(groups));
    }
    if (rows) buffers.push(lists.buffer(gpu, 'rows', rows));
    gpu.stream.dispatchWritten(kernel, buffers, params.record, groups);
  }
}
