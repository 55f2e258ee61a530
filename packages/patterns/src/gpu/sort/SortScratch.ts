import { FieldBlock } from '@corpuscle/core';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { CandidatesPlace } from './permuteKernel.js';
import { mostTiles, shapeFor, tilesOf } from './TileShape.js';

/** Buffers of a kernel that moves one block, with candidates apart. */
const FEWEST = 5;

/** What a sort needs room for. */
export interface SortSize {
  readonly cells: number;
  readonly count: number;
  /** Candidates of a search are wanted here. */
  readonly packs: boolean;
  /** Old rows are to be noted, because one kernel cannot move all blocks. */
  readonly notes: boolean;
}

/**
 * All that a sort needs for the moment lies in one buffer of words, because kernels may have few. Where parts begin, in words:
 *
 *   [ candidates: two a row | last: one a cell | earlier, members, place: each one a particle | … | zeros ]
 *   zeros = [ counts: one a cell | totals of tiles of cells | totals of the time before ]
 *
 * `last[c]` is the particle that arrived last in cell c, `earlier[i]` the one before i: chains are as long as counts
 * say, and what stands at their ends means nothing. `members` are those of each cell side by side, as they arrived. `place[i]`
 * is where particle i comes from. There are candidates where they are wanted, and places where one kernel cannot move all
 * blocks.
 *
 * Zeros lie at the end, with room for the most cells that there have been, so that they stay where they are when other
 * parts change. A sort leaves zeros there, but for its totals, which other workgroups still read: the next one clears
 * those, and counts where these have been cleared.
 */
export class SortScratch {
  readonly #gpu: GpuDevice;
  readonly #mostBytes: number;
  readonly #buffer: GrowingBuffer;
  readonly #candidates: GrowingBuffer;
  /** The buffer whose zeros are known, and for how many cells. */
  #cleared: GPUBuffer | null = null;
  #cells = 0;
  shape = shapeFor(0);
  tiles = 0;
  last = 0;
  earlier = 0;
  members = 0;
  place = 0;
  counts = 0;
  /** Totals of this sort, and those of the one before with how many of them it used. */
  totals = 0;
  before = 0;
  used = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#mostBytes = gpu.segmentBytes;
    this.#buffer = new GrowingBuffer(
      gpu,
      'chains of cells, candidates of a search',
      this.#mostBytes,
    );
    this.#candidates = new GrowingBuffer(gpu, 'candidates of a search', this.#mostBytes);
  }

  get tileBits(): number {
    return this.shape.bits;
  }

  /** Where candidates have room: beside the rest, as long as one binding can hold all. Null for devices whose kernels have too few buffers. */
  candidatesPlace(cells: number, count: number): CandidatesPlace | null {
    if (this.mostBytesOf(cells, count, 'scratch') <= this.#mostBytes) return 'scratch';
    return this.#gpu.limits.maxStorageBuffersPerShaderStage < FEWEST ? null : 'apart';
  }

  /** What a sort needs at most. */
  mostBytesOf(cells: number, count: number, packs: CandidatesPlace | null): number {
    const size = { cells, count, packs: packs === 'scratch', notes: true };
    const words = wordsOf(size) + zerosOf(Math.max(this.#cells, cells));
    return Math.max(4 * words, this.#buffer.bytes);
  }

  /** The buffer of candidates that lie apart. */
  candidates(count: number): GPUBuffer {
    return this.#candidates.reserve(8 * (count + FieldBlock.PADDING));
  }

  /** Lays out the parts; where zeros are is zero when what is recorded so far has run. */
  reserve(size: SortSize): GPUBuffer {
    const { cells, count, packs } = size;
    this.shape = shapeFor(cells);
    this.tiles = tilesOf(cells, this.shape);
    this.last = packs ? 2 * (count + FieldBlock.PADDING) : 0;
    this.earlier = this.last + cells;
    this.members = this.earlier + count;
    this.place = this.members + count;
    const most = Math.max(this.#cells, cells);
    const zeros = zerosOf(most);
    const buffer = this.#buffer.reserve(4 * (wordsOf(size) + zeros));
    if (buffer !== this.#cleared || most !== this.#cells) {
      this.counts = Math.floor(this.#buffer.bytes / 4) - zeros;
      this.totals = this.counts + most;
      this.before = this.totals + mostTiles(most);
      this.used = 0;
      // New buffers are zero.
      if (buffer === this.#cleared) this.#gpu.stream.clear(buffer, 4 * this.counts, 4 * zeros);
      this.#cleared = buffer;
      this.#cells = most;
    }
    return buffer;
  }

  /** The sort has been recorded: its totals are those of the time before. */
  sorted(): void {
    [this.totals, this.before] = [this.before, this.totals];
    this.used = this.tiles;
  }
}

const wordsOf = ({ cells, count, packs, notes }: SortSize): number =>
  (packs ? 2 * (count + FieldBlock.PADDING) : 0) + cells + (notes ? 3 : 2) * count;

const zerosOf = (cells: number): number => cells + 2 * mostTiles(cells);
