import type { ParameterValues } from '../../plan/calls.js';
import { areSame } from '../device/areSame.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { FunctorTables } from '../kernels/FunctorTables.js';

/** Kept, so that several calls of one functor do not evict each other. */
const KEPT = 16;

/** Words on the device, such as tables and lists of rows; those that are used again are not sent again. */
export class UploadCache {
  readonly #kept: { readonly words: Uint32Array; readonly buffer: GPUBuffer }[] = [];

  /** The buffer that holds them. */
  buffer(gpu: GpuDevice, label: string, words: Uint32Array): GPUBuffer {
    const found = this.#kept.findIndex((kept) => areSame(kept.words, words));
    if (found >= 0) {
      const [kept] = this.#kept.splice(found, 1);
      this.#kept.push(kept!);
      return kept!.buffer;
    }
    if (this.#kept.length === KEPT) gpu.release(this.#kept.shift()!.buffer);
    const copy = words.slice();
    const buffer = gpu.buffer(label, copy.byteLength);
    gpu.stream.upload(buffer, new Uint8Array(copy.buffer));
    this.#kept.push({ words: copy, buffer });
    return buffer;
  }
}

const ofTables = new WeakMap<FunctorTables, UploadCache>();

/** The buffer that holds the tables of one call, uploaded where these contents are new; none without tables. */
export function tableBuffers(
  gpu: GpuDevice,
  label: string,
  tables: FunctorTables,
  given: ParameterValues,
): readonly GPUBuffer[] {
  if (!tables.hasTables) return [];
  const cache = ofTables.get(tables) ?? new UploadCache();
  ofTables.set(tables, cache);
  return [cache.buffer(gpu, `${label}: tables`, tables.words(given))];
}
