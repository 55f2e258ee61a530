import type { Reduction, ResultRecord } from '@corpuscle/functor/ir';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { joiningKernel, type RecordText, recordText } from '../kernels/recordText.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { recordWords } from '../wgsl/recordWgsl.js';

const LARGEST = (2 - 2 ** -23) * 2 ** 127;

/**
 * Records of a reduction on the device. Workgroups leave one each; one more workgroup joins them in a fixed order, and the
 * outcome is read back.
 */
export class RecordSums {
  readonly text: RecordText;
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #partials: GrowingBuffer;
  readonly #results: GPUBuffer;
  readonly #identity: GPUBuffer;
  readonly #kernel: GpuKernel;

  constructor(gpu: GpuDevice, label: string, reduction: Reduction) {
    this.#gpu = gpu;
    this.#label = label;
    this.text = recordText(reduction, gpu.reals.state);
    this.#partials = new GrowingBuffer(gpu, `${label}: partial records`);
    this.#results = gpu.buffer(`${label}: record`, this.#bytes);
    this.#identity = gpu.buffer(`${label}: identity`, this.#bytes);
    const words = this.#encode(reduction.identity());
    gpu.stream.upload(this.#identity, new Uint8Array(words.buffer));
    this.#kernel = gpu.kernel(joiningKernel(label, this.text));
  }

  /** Of a record. */
  get #bytes(): number {
    return 4 * recordWords(this.text.record);
  }

  /** Buffers of a first-level kernel: `identity`, `partials` (unused there) and `results`, its partial records. */
  buffers(groups: number): GPUBuffer[] {
    return [this.#identity, this.#results, this.#partials.reserve(this.#bytes * groups)];
  }

  /** Joins the records of so many workgroups and reads the outcome back. */
  finish(groups: number): { record: Promise<ResultRecord>; flush(): void } {
    const { stream } = this.#gpu;
    const buffers = [this.#identity, this.#partials.buffer, this.#results];
    this.#gpu.operation = this.#label;
    stream.dispatch(this.#kernel, buffers, { groups, one: 1 }, 1);
    const readback = stream.read(this.#results, this.#bytes);
    return { record: readback.data.then((data) => this.#decode(data)), flush: readback.flush };
  }

  /** The device knows no infinities: the largest number stands for them. */
  #encode({ reals, ids }: ResultRecord): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(this.#bytes / 4);
    const floats = new Float32Array(words.buffer);
    const wide = this.text.record.real === 'vec2f';
    reals.forEach((value, k) => {
      const finite = Math.max(-LARGEST, Math.min(LARGEST, value));
      const high = Math.fround(finite);
      floats[wide ? 2 * k : k] = high;
      if (wide) floats[2 * k + 1] = Math.abs(finite) === LARGEST ? 0 : finite - high;
    });
    words.set(ids, reals.length * (wide ? 2 : 1));
    return words;
  }

  #decode(data: ArrayBuffer): ResultRecord {
    const { reals, ids, real } = this.text.record;
    const floats = new Float32Array(data);
    const wide = real === 'vec2f';
    const values = Float64Array.from({ length: reals }, (_, k) => {
      const value = wide ? floats[2 * k]! + floats[2 * k + 1]! : floats[k]!;
      return Math.abs(value) >= LARGEST ? Math.sign(value) * Number.POSITIVE_INFINITY : value;
    });
    const first = reals * (wide ? 2 : 1);
    return { reals: values, ids: new Uint32Array(data).slice(first, first + ids) };
  }
}
