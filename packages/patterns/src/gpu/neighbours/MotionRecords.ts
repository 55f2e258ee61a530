import type { Readback } from '../device/CommandStream.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { MotionTarget } from '../pattern/CellPattern.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import type { FastPairs } from './FastPairs.js';
import { type FastLimits, squaredLimits } from './fastLimits.js';
import { FAST_WORDS, LISTS, MOST_LISTS, RECORD_WORDS } from './motionText.js';

const MOST_BYTES = 2 ** 25;
const NO_LIST = { list: 0, room: 0, tau2: 3e38 };

/** Records of the list updates of a stretch of steps, and lists of fast particles; `motionText` says what is where. */
export class MotionRecords {
  readonly #gpu: GpuDevice;
  readonly #buffer: GrowingBuffer;
  #lists = 0;
  #room = 0;
  #mostLists = 0;
  #target: readonly GPUBuffer[] = [];
  #limits: FastLimits | null = null;
  #tau2 = 0;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#buffer = new GrowingBuffer(gpu, 'records of list updates');
  }

  get buffer(): GPUBuffer {
    return this.#buffer.buffer;
  }

  /** Forgets everything. @param room fast particles in a list. */
  clear(room: number): void {
    const bytes = 4 * FAST_WORDS * room;
    this.#mostLists = room === 0 ? 0 : Math.min(MOST_LISTS, Math.floor(MOST_BYTES / bytes));
    this.#room = room;
    this.#lists = 0;
    this.#buffer.reserve(4 * LISTS + bytes * this.#mostLists);
    this.#gpu.stream.clear(this.buffer, 0, 4 * LISTS);
  }

  /** Whether an update's fast particles can be listed. */
  get hasRoom(): boolean {
    return this.#lists < this.#mostLists;
  }

  /**
   * Where the motion of an update is noted.
   * @param reference positions at the last build. @param limits of its list of fast particles; null where it gets none.
   */
  target(reference: GPUBuffer, slot: number, limits: FastLimits | null): MotionTarget {
    if (this.#target[0] !== reference || this.#target[1] !== this.buffer)
      this.#target = [reference, this.buffer];
    if (!limits) return { buffers: this.#target, values: { slot, ...NO_LIST } };
    if (limits !== this.#limits) {
      this.#limits = limits;
      this.#tau2 = squaredLimits(limits).tau2;
    }
    const values = { slot, list: this.#lists++, room: this.#room, tau2: this.#tau2 };
    return { buffers: this.#target, values };
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
