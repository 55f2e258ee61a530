import { CorpuscleError } from '@corpuscle/core';
import { splitDouble } from '@corpuscle/functor/wgsl';
import type { GpuDevice } from '../device/GpuDevice.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { chunkBytes } from '../wgsl/combinePartials.js';

/** Numbers that a device keeps for all values together. */
const MOST = 4096;
/** Bytes of a number: two floats, a high and a low part. */
export const VALUE_BYTES = 8;

/**
 * Memory of all values of a context, which kernels reach by one binding (`values`):
 *
 *   values[k] = vec2f(high, low)
 *
 * Results of reductions have the same layout, so that their last kernel writes them here.
 */
export class ValueStore {
  readonly #gpu: GpuDevice;
  /** Partial results on their way to values. */
  readonly partials: GrowingBuffer;
  /** What workgroups that combine them leave for the last one. */
  readonly #chunks: GrowingBuffer;
  #buffer: GPUBuffer | null = null;
  /** Free places: first and after the last, in ascending order. */
  #free: [number, number][] = [[0, MOST]];

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.partials = new GrowingBuffer(gpu, 'values: partial results');
    this.#chunks = new GrowingBuffer(gpu, 'values: sums of chunks');
  }

  /** Room for what several workgroups leave for the last of them. */
  reserveChunks(results: number, chunks: number): GPUBuffer {
    const bytes = chunkBytes(results, chunks);
    if (bytes > this.#chunks.bytes) this.#gpu.stream.recordDeferred();
    return this.#chunks.reserve(bytes);
  }

  /** Whether any value has been made. */
  get isUsed(): boolean {
    return this.#buffer !== null;
  }

  get buffer(): GPUBuffer {
    this.#buffer ??= this.#gpu.buffer('values', VALUE_BYTES * MOST);
    return this.#buffer;
  }

  /** Bytes in use, from the first on. */
  get bytes(): number {
    const last = this.#free.at(-1);
    const end = last && last[1] === MOST ? last[0] : MOST;
    return VALUE_BYTES * Math.ceil(end / 2) * 2;
  }

  /** Takes `count` places in a row, from an even one. @throws CorpuscleError OUT_OF_MEMORY */
  take(count: number): number {
    const even = Math.ceil(count / 2) * 2;
    const free = this.#free.find(([first, end]) => end - first >= even);
    if (!free)
      throw new CorpuscleError(
        'OUT_OF_MEMORY',
        `${count} more values do not fit the ${MOST} that a device keeps: close some`,
      );
    const [first] = free;
    free[0] += even;
    this.#free = this.#free.filter(([from, end]) => end > from);
    return first;
  }

  /** Gives places back. */
  give(first: number, count: number): void {
    const even = Math.ceil(count / 2) * 2;
    const all = [...this.#free, [first, first + even] as [number, number]];
    all.sort((a, b) => a[0] - b[0]);
    this.#free = all.reduce<[number, number][]>((joined, [from, end]) => {
      const last = joined.at(-1);
      if (last && last[1] === from) last[1] = end;
      else joined.push([from, end]);
      return joined;
    }, []);
  }

  /** Sets numbers from a place on to 0: nothing goes to the device. */
  clear(first: number, count: number): void {
    this.#gpu.stream.clear(this.buffer, VALUE_BYTES * first, VALUE_BYTES * count);
  }

  /** Writes numbers from a place on. */
  upload(first: number, numbers: readonly number[]): void {
    const words = new Float32Array(numbers.flatMap((number) => [...splitDouble(number)]));
    this.#gpu.stream.upload(this.buffer, new Uint8Array(words.buffer), VALUE_BYTES * first);
  }
}
