import type { GpuDevice } from '../device/GpuDevice.js';

/** Lists kept on the device. */
const KEPT = 8;

/** Lists of rows on the device; a list that is used again is not sent again. */
export class RowLists {
  readonly #gpu: GpuDevice;
  readonly #kept: { rows: Uint32Array; buffer: GPUBuffer }[] = [];

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** The buffer that holds a list. */
  buffer(rows: Uint32Array): GPUBuffer {
    const found = this.#kept.findIndex((kept) => same(kept.rows, rows));
    if (found >= 0) {
      const [kept] = this.#kept.splice(found, 1);
      this.#kept.push(kept!);
      return kept!.buffer;
    }
    if (this.#kept.length === KEPT) this.#gpu.release(this.#kept.shift()!.buffer);
    const copy = rows.slice();
    const buffer = this.#gpu.buffer('rows', Math.max(4, copy.byteLength));
    this.#gpu.stream.upload(buffer, new Uint8Array(copy.buffer));
    this.#kept.push({ rows: copy, buffer });
    return buffer;
  }
}

function same(a: Uint32Array, b: Uint32Array): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return false;
  return true;
}
