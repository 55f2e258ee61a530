import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';

/**
 * The full neighbour lists of a grid on the device, column by column, so that neighbouring threads read neighbouring
 * words:
 *
 *   entries[k · stride + i]   k-th neighbour of particle i:  row j in bits 0 … 26, image in bits 27 … 31
 *   counts[i]                 neighbours of i; up to the next multiple of 4 entries point to a dummy row far away
 *   reference[i]              position at the build, for the displacement test
 *
 * The image is added to the central particle: d = r_i + image − r_j.
 */
export class DeviceLists {
  readonly counts: GrowingBuffer;
  readonly entries: GrowingBuffer;
  readonly reference: GrowingBuffer;
  readonly start: GrowingBuffer;
  frame: PositionFrame | null = null;
  count = 0;
  /** Entries a particle may have; a multiple of 4. */
  capacity = 0;
  /** Distance between the columns: count, rounded up to whole cache lines. */
  stride = 0;
  rcut = 0;
  skin = 0;
  /** Radius searched and the part of it beyond rcut; smaller than asked for where the box is thin. */
  radius = 0;
  effectiveSkin = 0;
  sortVersion = -1;

  constructor(gpu: GpuDevice) {
    this.counts = new GrowingBuffer(gpu, 'neighbour counts');
    this.entries = new GrowingBuffer(gpu, 'neighbour lists');
    this.reference = new GrowingBuffer(gpu, 'positions at the last build');
    this.start = new GrowingBuffer(gpu, 'first row of each cell');
  }

  free(): void {
    for (const buffer of [this.counts, this.entries, this.reference, this.start]) buffer.free();
    this.sortVersion = -1;
  }

  /** Whether pairs within `rcut` may be taken from these lists. */
  covers(grid: Grid, rcut: number): boolean {
    return this.sortVersion === grid.sortVersion && this.count === grid.count && rcut <= this.rcut;
  }
}

/** Bits of an entry that hold the neighbour's row. */
export const ROW_BITS = 27;
export const MAX_ROWS = 2 ** ROW_BITS - 32;
