import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import {
  combineWgsl,
  type DeviceResult,
  identityOf,
  packedWgsl,
  treeMemoryWgsl,
  treeWgsl,
  unpackResult,
} from '../wgsl/reduceWgsl.js';

const LANES = 256;

/** Results read back from the device. */
export interface PendingTotals {
  readonly values: Promise<number[]>;
  hurry(): void;
}

/**
 * The second level of a reduction: one workgroup combines what the workgroups of the first level left, in a fixed order,
 * and the few numbers are read back.
 *
 *   partials[k · groups + g]   result k of workgroup g, two words
 */
export class PartialSums {
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #results: readonly DeviceResult[];
  readonly #kernel: GpuKernel;
  readonly #partials: GrowingBuffer;

  constructor(gpu: GpuDevice, label: string, results: readonly DeviceResult[]) {
    this.#gpu = gpu;
    this.#label = label;
    this.#results = results;
    this.#partials = new GrowingBuffer(gpu, `${label}: partial results`);
    const own = results.map(
      (result, k) => `
  var own_${k} = ${packedWgsl(result, identityOf(result))};
  for (var g = lane; g < P.groups; g += ${LANES}u) {
    own_${k} = combine_${k}(own_${k}, partials[${k}u * P.groups + g]);
  }`,
    );
    this.#kernel = gpu.kernel({
      label: `${label}: combine`,
      workgroupSize: LANES,
      buffers: [
        { name: 'partials', type: 'array<vec2u>', access: 'read' },
        { name: 'results', type: 'array<vec2u>', access: 'read_write' },
      ],
      params: { groups: 'u32', at: 'u32', one: 'f32' },
      declarations: treeMemoryWgsl(LANES, results.length) + combineWgsl(results),
      body: own.join('') + treeWgsl(results, LANES, 'results', '1u', 'P.at'),
    });
  }

  /** Room for the partial results of so many workgroups. */
  partials(groups: number): GPUBuffer {
    return this.#partials.reserve(8 * this.#results.length * groups);
  }

  /** Combines partial results and reads them back. */
  finish(groups: number): PendingTotals {
    const { stream } = this.#gpu;
    this.#gpu.operation = this.#label;
    const { buffer, offset, data, hurry } = stream.result(8 * this.#results.length);
    const params = { groups, at: offset / 8, one: 1 };
    stream.dispatch(this.#kernel, [this.#partials.buffer, buffer], params, 1);
    return { values: data.then((bytes) => this.#decode(bytes)), hurry };
  }

  #decode(data: ArrayBuffer): number[] {
    const words = new Uint32Array(data);
    return this.#results.map((result, k) => unpackResult(result, words[2 * k]!, words[2 * k + 1]!));
  }
}
