import type { GpuDevice } from '../device/GpuDevice.js';
import type { Readback } from '../device/Readbacks.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { FAST_WORDS, LISTS, MOST_LISTS, RECORD_WORDS } from './displacementText.js';
import type { FastPairs } from './FastPairs.js';
import { type FastLimits, squaredLimits } from './fastLimits.js';

const MOST_BYTES = 2 ** 26;
/** No particle is farther than this. */
export const BEYOND_ALL = 3e38;

/** What says where displacements are noted, see `displacementPart`. */
export type DisplacementValues = Readonly<Record<'slot' | 'list' | 'mostFast' | 'tau2', number>>;

/** Where a kernel shall note how far particles have moved. */
export interface DisplacementTarget {
  /** What `displacementPart` binds, and values of its parameters. */
  readonly buffers: readonly GPUBuffer[];
  readonly values: DisplacementValues;
}

/** Records of the list updates of a speculation window of steps, and lists of fast particles; `displacementPart` says what is where. */
export class DisplacementRecords {
  readonly #gpu: GpuDevice;
  readonly #buffer: GrowingBuffer;
  #lists = 0;
  #mostFast = 0;
  #mostLists = 0;
  readonly #values = { slot: 0, list: 0, mostFast: 0, tau2: 0 };
  #target: DisplacementTarget = { buffers: [], values: this.#values };
  #limits: FastLimits | null = null;
  #tau2 = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#buffer = new GrowingBuffer(gpu, 'records of list updates');
  }

  get buffer(): GPUBuffer {
    return this.#buffer.buffer;
  }

  /** Forgets everything. @param mostFast fast particles in a list. */
  clear(mostFast: number): void {
    const bytes = 4 * FAST_WORDS * mostFast;
    this.#mostLists = mostFast === 0 ? 0 : Math.min(MOST_LISTS, Math.floor(MOST_BYTES / bytes));
    this.#mostFast = mostFast;
    this.#lists = 0;
    this.#buffer.reserve(4 * LISTS + bytes * this.#mostLists);
    this.#gpu.stream.clear(this.buffer, 0, 4 * LISTS);
  }

  /** Updates whose fast particles can still be listed. */
  get listsLeft(): number {
    return this.#mostLists - this.#lists;
  }

  /**
   * Where the displacements of an update are noted; good until the next is asked for.
   * @param reference positions at the last build. @param limits of its list of fast particles; null where it gets none.
   * @param votesBeyond distance beyond which workgroups vote for other lists, where they vote
   */
  target(
    reference: GPUBuffer,
    slot: number,
    limits: FastLimits | null,
    votesBeyond = Infinity,
  ): DisplacementTarget {
    const { buffers } = this.#target;
    if (buffers[0] !== reference || buffers[1] !== this.buffer)
      this.#target = { buffers: [reference, this.buffer], values: this.#values };
    if (limits && limits !== this.#limits) {
      this.#limits = limits;
      this.#tau2 = squaredLimits(limits).tau2;
    }
    const values = this.#values;
    values.slot = slot;
    values.list = limits ? this.#lists++ : 0;
    values.mostFast = limits ? this.#mostFast : 0;
    values.tau2 = limits ? this.#tau2 : Math.min(votesBeyond ** 2, BEYOND_ALL);
    return this.#target;
  }

  /** Looks for fast particles that came too close, in all lists so far, and reads the records. */
  read(updates: number, pairs: FastPairs, limits: FastLimits | null): Readback {
    if (limits && this.#lists > 0) pairs.check(this.buffer, this.#lists, limits);
    return this.#gpu.stream.read(this.buffer, 4 * RECORD_WORDS * updates);
  }

  free(): void {
    this.#buffer.free();
  }
}
