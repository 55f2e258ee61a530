import type { Grid } from '@corpuscle/core';
import type { ParameterValues } from '../../plan/calls.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { type CellKernelText, type CellParts, cellKernel } from '../kernels/cellKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import { layoutKey } from '../kernels/ParticleAccess.js';
import type { DisplacementTarget } from '../neighbors/DisplacementRecords.js';
import { boundBlocks } from '../pattern/BoundBlocks.js';
import { BoundParams } from '../pattern/BoundParams.js';
import { tableBuffers } from '../pattern/UploadCache.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { CallSums } from '../values/CallSums.js';
import { frameValues } from '../wgsl/frameWgsl.js';
import type { CallRunner } from './CallRunner.js';

/** What a kernel over particles is recorded with besides parameters. */
export interface CellExtras {
  /** Where displacements are noted. */
  readonly displacements?: DisplacementTarget | null;
  /** Where reductions leave what they find. */
  readonly sums?: { reserve(groups: number): GPUBuffer } | null;
  /** The rows to work on, where its parts are `listed`. */
  readonly rows?: Uint32Array | RowsOnDevice;
}

/** Rows that a buffer lists. */
export interface RowsOnDevice {
  readonly buffer: GPUBuffer;
  readonly length: number;
}

/** A kernel of cell functors and reductions, compiled when it is first used. */
export class CellProgram {
  /** The kernel before it is compiled, and what it uses. */
  readonly text: CellKernelText;
  readonly #gpu: GpuDevice;
  #kernel: GpuKernel | null = null;
  #sums: CallSums | null = null;

  constructor(gpu: GpuDevice, text: CellKernelText) {
    this.#gpu = gpu;
    this.text = text;
  }

  get kernel(): GpuKernel {
    if (this.#kernel === null) {
      const { source } = this.text;
      this.#kernel = this.#gpu.kernel(source);
      this.#gpu.resident.offer(this.#kernel, source);
    }
    return this.#kernel;
  }

  /** The second level of its reductions, where they are made by themselves. */
  get sums(): CallSums {
    const { source, results } = this.text;
    this.#sums ??= new CallSums(this.#gpu, source.label, results);
    return this.#sums;
  }
}

/** Cell functors in a row on one grid, and what comes after them, as one kernel: a particle's rows are loaded once and stored once. */
export class JoinedCells {
  readonly #runner: CallRunner;
  readonly #grid: Grid;
  readonly #parts: CellParts;
  #program: CellProgram | null = null;
  /** What the program was made for. */
  #strain: DeviceStrain | undefined;
  #params: BoundParams | null = null;
  /** Buffers of its blocks and the frame of positions, from when it was captured until it is recorded. */
  #blocks: GPUBuffer[] | null = null;
  #frame: PositionFrame | null = null;

  constructor(runner: CallRunner, grid: Grid, parts: CellParts) {
    this.#runner = runner;
    this.#grid = grid;
    this.#parts = parts;
  }

  /** Its program as things are. */
  get program(): CellProgram {
    const strain = strainOf(this.#grid);
    if (this.#program === null || strain !== this.#strain) {
      this.#program = this.#find();
      this.#strain = strain;
      this.#params = null;
    }
    return this.#program;
  }

  /** That of one functor alone is kept for the next call. */
  #find(): CellProgram {
    const { gpu, cells } = this.#runner;
    const { functors, sums = [], notes = false, listed = false } = this.#parts;
    const build = () => new CellProgram(gpu, cellKernel(this.#parts, this.#grid, gpu.reals.state));
    const [functor, ...others] = [...functors, ...sums];
    if (!functor || others.length > 0 || notes) return build();
    const key = `${listed}${layoutKey(this.#grid, Object.keys(functor.ir!.roles.i ?? {}))}`;
    return cells.get(functor, key, build);
  }

  /** Whether it writes positions. */
  get moves(): boolean {
    return this.program.text.blocks.some(({ name, written }) => written && name === 'position');
  }

  /** Finds the blocks of this moment, which count as written from now on, for the next time that it is recorded. */
  capture(): void {
    const { residency } = this.#runner;
    const bound = boundBlocks(this.#grid, residency, this.program.text.blocks);
    this.#blocks = bound.buffers();
    bound.written();
    this.#frame = residency.peek(this.#grid.block('position'))?.frame ?? null;
  }

  /** Records it, as it was captured if it was. @param given parameters of each functor: those of cell functors, then of reductions. */
  record(given: readonly ParameterValues[], { displacements, sums, rows }: CellExtras = {}): void {
    const { gpu, rows: lists } = this.#runner;
    const { text, kernel } = this.program;
    if (this.#blocks === null) this.capture();
    const buffers = this.#blocks!;
    this.#blocks = null;
    this.#params ??= new BoundParams(kernel);
    const params = this.#params;
    if (text.usesFrame || displacements) params.setObject(0, frameValues(this.#frame!));
    const count = rows ? rows.length : this.#grid.count;
    params.set('count', count);
    for (let k = 0; k < given.length; k++) {
      const tables = text.tables[k]!;
      params.setGiven(k, tables, given[k]!);
      buffers.push(...tableBuffers(gpu, text.source.label, tables, given[k]!));
    }
    const groups = Math.ceil(count / LANES);
    if (displacements) {
      params.setAll(displacements.values);
      buffers.push(...displacements.buffers);
    }
    if (sums) {
      params.set('groups', groups);
      buffers.push(sums.reserve(groups));
    }
    if (rows)
      buffers.push(rows instanceof Uint32Array ? lists.buffer(gpu, 'rows', rows) : rows.buffer);
    gpu.stream.dispatchWritten(kernel, buffers, params.record, groups);
  }
}
