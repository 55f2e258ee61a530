import { FieldBlock } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { tilesOf } from './tileText.js';

/** What a sort needs room for. */
export interface SortSize {
  readonly cells: number;
  readonly count: number;
  /** Candidates of a search are wanted. */
  readonly packs: boolean;
}

/**
 * All that a sort needs for the moment lies in one buffer of words, because kernels may have few. Where parts begin, in words:
 *
 *   [ candidates: two a row | last: one a cell | earlier: one a particle | place: one a particle | … | zeros ]
 *   zeros = [ counts: one a cell | totals of tiles of cells | totals of the time before ]
 *
 * Zeros lie at the end, with room for the most cells that there have been, so that they stay where they are when other
 * parts change. A sort leaves zeros there, but for its totals, which other workgroups still read: the next one clears
 * those, and counts where these have been cleared.
 */
export class SortScratch {
  readonly #gpu: GpuDevice;
  readonly #mostBytes: number;
  readonly #buffer: GrowingBuffer;
  /** The buffer whose zeros are known, and for how many cells. */
  #cleared: GPUBuffer | null = null;
  #cells = 0;
  last = 0;
  earlier = 0;
  place = 0;
  counts = 0;
  /** Totals of this sort, and those of the one before with how many of them it used. */
  totals = 0;
  before = 0;
  used = 0;

  constructor(gpu: GpuDevice) {
    const { maxBufferSize, maxStorageBufferBindingSize } = gpu.limits;
    this.#gpu = gpu;
    this.#mostBytes = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    this.#buffer = new GrowingBuffer(
      gpu,
      'chains of cells, candidates of a search',
      this.#mostBytes,
    );
  }

  /** Whether one buffer can hold as much. */
  holds({ cells, count, packs }: SortSize): boolean {
    const most = Math.max(this.#cells, cells);
    return 4 * (wordsOf(cells, count, packs) + zerosOf(most)) <= this.#mostBytes;
  }

  /** Lays out the parts; where zeros are is zero when what is recorded so far has run. */
  reserve({ cells, count, packs }: SortSize): GPUBuffer {
    this.last = packs ? 2 * (count + FieldBlock.PADDING) : 0;
    this.earlier = this.last + cells;
    this.place = this.earlier + count;
    const most = Math.max(this.#cells, cells);
    const zeros = zerosOf(most);
    const buffer = this.#buffer.reserve(4 * (wordsOf(cells, count, packs) + zeros));
    if (buffer !== this.#cleared || most !== this.#cells) {
      this.counts = Math.floor(this.#buffer.bytes / 4) - zeros;
      this.totals = this.counts + most;
      this.before = this.totals + tilesOf(most);
      this.used = 0;
      // New buffers are zero.
      if (buffer === this.#cleared) this.#gpu.stream.clear(buffer, 4 * this.counts, 4 * zeros);
      this.#cleared = buffer;
      this.#cells = most;
    }
    return buffer;
  }

  /** A sort of so many cells has been recorded: its totals are those of the time before. */
  sorted(cells: number): void {
    [this.totals, this.before] = [this.before, this.totals];
    this.used = tilesOf(cells);
  }
}

const wordsOf = (cells: number, count: number, packs: boolean): number =>
  (packs ? 2 * (count + FieldBlock.PADDING) : 0) + cells + 2 * count;

const zerosOf = (cells: number): number => cells + 2 * tilesOf(cells);
