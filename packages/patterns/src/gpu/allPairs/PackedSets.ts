import type { Grid } from '@corpuscle/core';
import type { AllPairs } from '../../plan/AllPairs.js';
import type { SharedArray } from '../../plan/createArray.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { Residency } from '../residency/Residency.js';
import { doubleTurnValues, packDoubleSource } from './packDoubles.js';
import { packSource, type Turns, turnValues } from './packParticles.js';
import { RowsByLabel } from './RowsByLabel.js';
import { TILE } from './TileWalk.js';

/** Particles of a set, padded to whole tiles. */
export interface PackedSet {
  readonly buffer: GPUBuffer;
  readonly count: number;
  readonly padded: number;
}

/** The two sets of a call, in coordinates that wrap around (`Turns`). */
export class PackedSets {
  /** A word that is not 0 once a particle has none. */
  readonly fault: GPUBuffer;
  readonly #gpu: GpuDevice;
  readonly #residency: Residency;
  readonly #isDouble: boolean;
  readonly #all: GpuKernel;
  readonly #listed: GpuKernel;
  #byLabel: RowsByLabel | null = null;
  #labeled = false;
  readonly #buffers: Readonly<Record<'central' | 'neighbors', GrowingBuffer>>;

  constructor(gpu: GpuDevice, residency: Residency) {
    this.#gpu = gpu;
    this.#residency = residency;
    this.#isDouble = gpu.reals.state === 'f64';
    const source = this.#isDouble ? packDoubleSource : packSource;
    this.#all = gpu.kernel(source(false));
    this.#listed = gpu.kernel(source(true));
    this.#buffers = {
      central: new GrowingBuffer(gpu, 'all pairs: central particles'),
      neighbors: new GrowingBuffer(gpu, 'all pairs: neighbors'),
    };
    this.fault = gpu.buffer('all pairs: fault', 16);
  }

  /** Before the sets of a call are packed: forgets the last call, and looks where labels are. */
  begin(grid: Grid, { labels }: AllPairs): void {
    this.#gpu.stream.clear(this.fault);
    this.#labeled = labels !== null;
    if (labels === null) return;
    this.#byLabel ??= new RowsByLabel(this.#gpu, this.#residency);
    this.#byLabel.note(grid, labels);
  }

  /** Packs the particles of these rows, or all of them. */
  pack(
    set: 'central' | 'neighbors',
    grid: Grid,
    rows: SharedArray | null,
    turns: Turns,
  ): PackedSet {
    const count = rows?.length ?? grid.count;
    const padded = TILE * Math.ceil(count / TILE);
    const buffer = this.#buffers[set].reserve((this.#isDouble ? 32 : 16) * padded);
    const { parts, frame } = this.#residency.ensurePositions(grid);
    const listed = rows ? [this.#rowsOf(set, grid, rows)] : [];
    const values = this.#isDouble ? doubleTurnValues(turns, frame) : turnValues(turns, frame);
    this.#gpu.stream.dispatchThreads(
      rows ? this.#listed : this.#all,
      [...parts.map((part) => part.buffer), ...listed, buffer, this.fault],
      { ...values, count, padded },
      padded,
    );
    return { buffer, count, padded };
  }
  #rowsOf(set: 'central' | 'neighbors', grid: Grid, rows: SharedArray): GPUBuffer {
    if (this.#labeled) return this.#byLabel!.find(set, rows, grid.count, this.fault);
    return this.#residency.ensure(rows.block, rows.length).buffer;
  }
}
