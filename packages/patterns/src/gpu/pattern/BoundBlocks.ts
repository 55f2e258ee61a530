import type { FieldBlock, Grid } from '@corpuscle/core';
import { areSame } from '../device/sameBuffers.js';
import type { DeviceBlock } from '../residency/DeviceBlock.js';
import type { Residency } from '../residency/Residency.js';

/** Blocks as a kernel names them. */
export type UsedBlocks = readonly { readonly name: string; readonly written?: boolean }[];

/** Stands for the low parts of positions among the blocks of a kernel. */
export const LOW = 'position.low';

/** Stands, among the blocks of a kernel, for positions that it writes while others still read those before. */
export const NEXT = 'position.next';

const blockOf = (name: string): string => (name === LOW || name === NEXT ? 'position' : name);

/**
 * The blocks of one grid that a kernel uses, and their device copies. They are looked up once: every call of every step
 * asks for the buffers and says what it has written.
 */
export class BoundBlocks {
  readonly #grid: Grid;
  readonly residency: Residency;
  readonly #used: UsedBlocks;
  readonly #blocks: readonly FieldBlock[];
  readonly #records: (DeviceBlock | undefined)[];
  readonly #written: readonly FieldBlock[];
  readonly #now: GPUBuffer[] = [];
  #latest: readonly GPUBuffer[] = [];
  /** Those before the latest: positions alternate between two buffers. */
  #earlier: readonly GPUBuffer[] = [];

  constructor(grid: Grid, residency: Residency, used: UsedBlocks) {
    this.#grid = grid;
    this.residency = residency;
    this.#used = used;
    this.#blocks = used.map(({ name }) => grid.block(blockOf(name)));
    this.#records = used.map(() => undefined);
    this.#written = used
      .filter(({ name, written }) => written && name !== LOW)
      .map(({ name }) => grid.block(blockOf(name)));
  }

  /** The device buffers in the order of the bindings; what the host has newer is uploaded. The same array while they stay. */
  buffers(): readonly GPUBuffer[] {
    const { count } = this.#grid;
    const used = this.#used;
    for (let k = 0; k < used.length; k++) {
      const { name } = used[k]!;
      const block = this.#blocks[k]!;
      let record = this.#records[k];
      const isPosition = blockOf(name) === 'position';
      const isCurrent = record && block.hostVersion <= record.version && record.rows === count;
      if (!record || !isCurrent || (isPosition && !record.frame)) {
        record = isPosition
          ? this.residency.ensurePositions(this.#grid)
          : this.residency.ensure(block, count);
        this.#records[k] = record;
      }
      this.#now[k] = bufferOf(record, name);
    }
    return areSame(this.#latest, this.#now) ? this.#latest : this.#changed();
  }

  #changed(): readonly GPUBuffer[] {
    const next = areSame(this.#earlier, this.#now) ? this.#earlier : this.#now.slice();
    this.#earlier = this.#latest;
    this.#latest = next;
    return next;
  }

  /** The device now has the newest copies of the blocks that the kernel writes. */
  written(): void {
    for (const block of this.#written) this.residency.written(block);
  }
}

function bufferOf(record: DeviceBlock, name: string): GPUBuffer {
  if (name === NEXT) return record.second;
  return name === LOW ? record.low!.buffer : record.buffer;
}

const known = new WeakMap<UsedBlocks, WeakMap<Grid, BoundBlocks>>();

/** @param used the same array for every call of a kernel. */
export function boundBlocks(grid: Grid, residency: Residency, used: UsedBlocks): BoundBlocks {
  const present = known.get(used)?.get(grid);
  if (present?.residency === residency) return present;
  const byGrid = known.get(used) ?? new WeakMap<Grid, BoundBlocks>();
  known.set(used, byGrid);
  const bound = new BoundBlocks(grid, residency, used);
  byGrid.set(grid, bound);
  return bound;
}
