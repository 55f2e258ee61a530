import type { Grid } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { entryFormat } from './EntryFormat.js';

const NO_ROOM = { count: 0, capacity: 0, mostBytes: 0 };

/**
 * The full neighbor lists of a grid on the device, in columns of vectors:
 *
 *   entries[k · stride + i]   neighbors 4k … 4k+3 of particle i, each with its row and its image as
 *                             `EntryFormat` says: neighboring threads read neighboring vectors
 *   counts[i]                 neighbors of i; the last vector is filled up with dummy rows far away. Bit 31 says that
 *                             some of i's neighbors, or of the particles sorted near it, are images
 *   reference[i]              position at the build, for the displacement test, and its low parts where they are kept
 *
 * Lists that exceed what one binding may hold are split into chunks of rows, each with a buffer of its own.
 *
 * The image is added to the central particle: d = r_i + image − r_j. Lists hold all pairs within the radius, and some that
 * are a little farther away, most often less than a ten-thousandth of it.
 */
export class DeviceLists {
  readonly counts: GrowingBuffer;
  readonly chunks: ListChunk[] = [];
  readonly reference: GrowingBuffer;
  readonly referenceLow: GrowingBuffer;
  readonly start: GrowingBuffer;
  frame: PositionFrame | null = null;
  /** Whether all particles were inside of their cells when they were sorted. */
  isInside = false;
  /** Whether the frame has got another box since the build. */
  isOfOtherBox = false;
  /** What the frame was made for, besides the domain. */
  frameMadeFor = { radius: 0, mostCells: 0 };
  count = 0;
  /** Entries a particle may have; a multiple of 4. */
  capacity = 0;
  format = entryFormat([1]);
  /** Distance between the columns: rows of a chunk, rounded up to whole cache lines. */
  stride = 0;
  rcut = 0;
  /** The cutoff as a distance in the reference box of a strain; else rcut. */
  near = 0;
  skin = 0;
  /** How many times the skin lists may reach where their cells are as wide. */
  wider = 1;
  /** Radius searched and the part of it beyond rcut; smaller than asked for where the box is thin. */
  radius = 0;
  effectiveSkin = 0;
  sortVersion = -1;
  readonly #gpu: GpuDevice;
  /** What there is room for. */
  #room = NO_ROOM;

  constructor(gpu: GpuDevice) {
    this.counts = new GrowingBuffer(gpu, 'neighbor counts');
    this.#gpu = gpu;
    this.reference = new GrowingBuffer(gpu, 'positions at the last build');
    this.referenceLow = new GrowingBuffer(gpu, 'positions at the last build (low)');
    this.start = new GrowingBuffer(gpu, 'first row of each cell');
  }

  free(): void {
    for (const buffer of [this.counts, this.reference, this.referenceLow, this.start])
      buffer.free();
    this.dropEntries();
    this.sortVersion = -1;
  }

  /** Keeps low parts of the positions, which are still those of the build. */
  keepLow(low: GPUBuffer): void {
    const bytes = 16 * this.count;
    this.#gpu.stream.copy(low, this.referenceLow.reserve(bytes), bytes);
  }

  /** Gives up all entries: lists must be built again. */
  dropEntries(): void {
    for (const { entries } of this.chunks) entries.free();
    this.chunks.length = 0;
    this.#room = NO_ROOM;
  }

  /**
   * Divides the rows into as few chunks as possible and makes room for their entries.
   * @param mostBytes what one buffer may hold.
   */
  makeRoom(mostBytes: number): void {
    const made = this.#room;
    const { count, capacity } = this;
    if (made.count === count && made.capacity === capacity && made.mostBytes === mostBytes) return;
    this.#room = NO_ROOM;
    try {
      this.#divide(mostBytes);
    } catch (error) {
      this.free(); // what there is of them is of no use
      throw error;
    }
    this.#room = { count, capacity, mostBytes };
  }

  #divide(mostBytes: number): void {
    const { count, capacity } = this;
    const perRow = 4 * Math.max(4, capacity);
    const most = Math.max(ROWS, Math.floor(mostBytes / perRow / ROWS) * ROWS);
    const needed = Math.ceil(count / most);
    const rows = Math.ceil(count / needed / ROWS) * ROWS;
    this.stride = rows;
    for (let k = 0; k < needed; k++) {
      const first = k * rows;
      const entries =
        this.chunks[k]?.entries ?? new GrowingBuffer(this.#gpu, 'neighbor lists', mostBytes);
      entries.reserve(perRow * rows);
      this.chunks[k] = { first, end: Math.min(count, first + rows), entries };
    }
    for (const { entries } of this.chunks.splice(needed)) entries.free();
  }

  /** Bytes of the entries. */
  get bytes(): number {
    return this.chunks.reduce((sum, { entries }) => sum + entries.bytes, 0);
  }

  /** Whether pairs within `rcut` may be taken from these lists. */
  covers(grid: Grid, rcut: number): boolean {
    return this.sortVersion === grid.sortVersion && this.count === grid.count && rcut <= this.rcut;
  }
}

/** Chunks are whole numbers of workgroups of any kernel. */
const ROWS = 256;

/** Rows first … end − 1 and their entries. */
export interface ListChunk {
  readonly first: number;
  readonly end: number;
  readonly entries: GrowingBuffer;
}
