import { FieldBlock, type Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelParams } from '../device/GpuKernel.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { Residency } from '../residency/Residency.js';
import { type CandidatesPlace, permuteKernel, permuteMoreKernel } from './permuteKernel.js';
import type { TileShape } from './TileShape.js';

/** Parameters of all kernels that move blocks. */
export type MoveParams = KernelParams & { readonly tiles: number; readonly rows: number };

/** How blocks are moved. */
export interface MoveWay {
  /** Of workgroups of the first kernel. */
  readonly shape: TileShape;
  /** Where positions are packed for a search on the way; null where they are not. */
  readonly packs: CandidatesPlace | null;
  /** Bindings that what a sort needs for the moment takes, and those of a block of positions. */
  readonly scratchBindings: number;
  readonly positionBindings: number;
}

/** A kernel and the blocks that it moves. */
interface Pass {
  readonly kernel: GpuKernel;
  readonly records: readonly DeviceBlock[];
  /** The buffers of the last time: those of all kernels first. */
  readonly buffers: GPUBuffer[];
}

/**
 * Moves all blocks of a grid, from their buffers to their spares, as many in one kernel as the device has bindings for.
 * Blocks and kernels are looked up once; they serve until the grid gets another block.
 */
export class BlockMoves {
  readonly #way: MoveWay;
  readonly #gpu: GpuDevice;
  readonly #grid: Grid;
  readonly #residency: Residency;
  readonly #blocks: readonly FieldBlock[];
  /** Device copies of the blocks, that of positions first. */
  readonly #records: readonly DeviceBlock[];
  readonly #passes: readonly Pass[];

  /** @param position the device copy of the grid's positions. */
  constructor(
    gpu: GpuDevice,
    residency: Residency,
    grid: Grid,
    position: DeviceBlock,
    way: MoveWay,
  ) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#grid = grid;
    this.#way = way;
    const others = [...grid.blocks.values()].filter(({ spec }) => spec.name !== 'position');
    this.#blocks = [grid.block('position'), ...others];
    this.#records = [position, ...others.map((block) => residency.ensure(block, grid.count))];
    this.#passes = this.#plan([...position.parts, ...this.#records.slice(1)]);
  }

  /** Whether these are all blocks that the grid has, and moved as wanted. */
  serve(way: MoveWay): boolean {
    const present = this.#way;
    return (
      this.#blocks.length === this.#grid.blocks.size &&
      present.packs === way.packs &&
      present.shape === way.shape &&
      present.scratchBindings === way.scratchBindings &&
      present.positionBindings === way.positionBindings
    );
  }

  /**
   * Makes the device's copies current; that of positions must be. Spares are allocated too, before anything is counted:
   * counts would stay if it failed later.
   */
  ensure(): void {
    const { count } = this.#grid;
    for (let k = 1; k < this.#blocks.length; k++) {
      const block = this.#blocks[k]!;
      const record = this.#records[k]!;
      if (block.hostVersion > record.version || record.rows !== count)
        this.#residency.ensure(block, count);
    }
    for (const { records } of this.#passes) for (const record of records) void record.second;
  }

  /** Whether old rows are noted for all kernels but the first. */
  get notes(): boolean {
    return this.#passes.length > 1;
  }

  /**
   * @param candidates where these have a buffer of their own
   * @param values of all kernels: a workgroup of the first takes one of `tiles`, a thread of the others one of `rows`.
   */
  run(
    scratch: GPUBuffer,
    start: GPUBuffer,
    candidates: GPUBuffer | null,
    values: MoveParams,
  ): void {
    const { stream } = this.#gpu;
    const passes = this.#passes;
    for (let pass = 0; pass < passes.length; pass++) {
      const { kernel, records, buffers } = passes[pass]!;
      let at = 0;
      buffers[at++] = scratch;
      if (pass === 0) buffers[at++] = start;
      if (pass === 0 && candidates) buffers[at++] = candidates;
      for (const record of records) {
        buffers[at++] = record.buffer;
        buffers[at++] = record.second;
      }
      if (pass === 0) stream.dispatch(kernel, buffers, values, values.tiles);
      else stream.dispatchThreads(kernel, buffers, values, values.rows);
      for (const record of records) record.swap();
    }
    for (const block of this.#blocks) this.#residency.moved(block);
  }

  #plan(records: readonly DeviceBlock[]): Pass[] {
    const { limits, segmentBytes } = this.#gpu;
    const rows = this.#grid.count + FieldBlock.PADDING;
    const bindingsOf = ({ bytesPerRow }: DeviceBlock) =>
      2 * Math.ceil((bytesPerRow * rows) / segmentBytes);
    const { packs, scratchBindings } = this.#way;
    const ofFirst = packs === 'apart' ? 2 : 1;
    const passes: Pass[] = [];
    for (let from = 0; from < records.length; ) {
      const isFirst = from === 0;
      const taken: DeviceBlock[] = [];
      let room = limits.maxStorageBuffersPerShaderStage - scratchBindings;
      if (isFirst) room -= ofFirst;
      for (let next = records[from]; next && bindingsOf(next) <= room; next = records[from]) {
        room -= bindingsOf(next);
        taken.push(next);
        from++;
      }
      const types = taken.map(({ type }) => type.row);
      const notes = taken.length < records.length;
      const source = isFirst
        ? permuteKernel(types, { ...this.#way, notes })
        : permuteMoreKernel(types);
      passes.push({ kernel: this.#gpu.kernel(source), records: taken, buffers: [] });
    }
    return passes;
  }
}
