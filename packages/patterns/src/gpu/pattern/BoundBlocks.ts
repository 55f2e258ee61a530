import type { FieldBlock, Grid } from '@corpuscle/core';
import { blockOf, isNext, LOW, type UsedBlocks } from '../kernels/usedBlocks.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { Residency } from '../residency/Residency.js';

/** A block, and its device copy when it was last asked for. */
type BoundBlock = UsedBlocks[number] & { readonly block: FieldBlock; record?: DeviceBlock };

/**
 * The blocks of one grid that a kernel uses, and their device copies. They are looked up once: every call of every step
 * asks for the buffers and says what it has written.
 */
export class BoundBlocks {
  readonly #grid: Grid;
  readonly #residency: Residency;
  readonly #used: readonly BoundBlock[];

  constructor(grid: Grid, residency: Residency, used: UsedBlocks) {
    this.#grid = grid;
    this.#residency = residency;
    this.#used = used.map((one) => ({ ...one, block: grid.block(blockOf(one.name)) }));
  }

  /** The device buffers in the order of the bindings, in an array of their own; what the host has newer is uploaded. */
  buffers(): GPUBuffer[] {
    const { count } = this.#grid;
    return this.#used.map((one) => {
      const { name, block, record: known } = one;
      const isPosition = blockOf(name) === 'position';
      const isCurrent = known && block.hostVersion <= known.version && known.rows === count;
      if (isCurrent && (!isPosition || known.frame)) return bufferOf(known, name);
      one.record = isPosition
        ? this.#residency.ensurePositions(this.#grid)
        : this.#residency.ensure(block, count);
      return bufferOf(one.record, name);
    });
  }

  /** The device now has the newest copies of the blocks that the kernel writes. */
  written(): void {
    for (const { name, written, block } of this.#used)
      if (written && name !== LOW) this.#residency.written(block);
  }
}

function bufferOf(record: DeviceBlock, name: string): GPUBuffer {
  if (isNext(name)) return record.second;
  return name === LOW ? record.low!.buffer : record.buffer;
}

const known = new WeakMap<UsedBlocks, WeakMap<Grid, BoundBlocks>>();

/** @param used the same array for every call of a kernel. */
export function boundBlocks(grid: Grid, residency: Residency, used: UsedBlocks): BoundBlocks {
  const byGrid = known.get(used) ?? new WeakMap<Grid, BoundBlocks>();
  known.set(used, byGrid);
  const bound = byGrid.get(grid) ?? new BoundBlocks(grid, residency, used);
  byGrid.set(grid, bound);
  return bound;
}
