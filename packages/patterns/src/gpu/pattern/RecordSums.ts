import type { FunctorIR, Reduction, ResultRecord } from '@corpuscle/functor/ir';
import { lowerToWgsl, type WgslEnv } from '@corpuscle/functor/wgsl';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import {
  type DeviceRecord,
  recordEnv,
  recordLanes,
  recordMemoryWgsl,
  recordTreeWgsl,
  recordWords,
} from '../wgsl/recordWgsl.js';

const LARGEST = (2 - 2 ** -23) * 2 ** 127;

/**
 * Records of a reduction on the device. Workgroups leave one each; one more workgroup joins them in a fixed order, and the
 * outcome is read back.
 */
export class RecordSums {
  readonly record: DeviceRecord;
  readonly lanes: number;
  readonly #joining: string;
  readonly #gpu: GpuDevice;
  readonly #label: string;
  readonly #partials: GrowingBuffer;
  readonly #results: GPUBuffer;
  readonly #identity: GPUBuffer;
  readonly #kernel: GpuKernel;

  constructor(gpu: GpuDevice, label: string, reduction: Reduction, real: 'f32' | 'f64') {
    this.#gpu = gpu;
    this.#label = label;
    const { reals, ids } = reduction;
    this.record = { reals, ids, real: real === 'f64' ? 'vec2f' : 'f32' };
    this.lanes = recordLanes(this.record);
    this.#joining = lowerCombine(reduction.combineIr!, real);
    const bytes = 4 * recordWords(this.record);
    this.#partials = new GrowingBuffer(gpu, `${label}: partial records`);
    this.#results = gpu.buffer(`${label}: record`, bytes);
    this.#identity = gpu.buffer(`${label}: identity`, bytes);
    const words = this.#encode(reduction.identity());
    gpu.stream.upload(this.#identity, new Uint8Array(words.buffer));
    this.#kernel = gpu.kernel({
      label: `${label}: combine`,
      about: 'One workgroup joins the records of all others, in a fixed order.',
      workgroupSize: this.lanes,
      buffers: RecordSums.bindings,
      params: { groups: 'u32', one: 'f32' },
      declarations: this.declare(this.lanes),
      body: `
  startRecord();
  for (var g = lane; g < P.groups; g += ${this.lanes}u) {
    loadOther(g);
    joinOther();
  }
  ${recordTreeWgsl(this.lanes, '0u')}`,
    });
  }

  /** Declarations for a kernel of so many lanes: records, and the function that joins two. */
  declare(lanes: number): string {
    return `${recordMemoryWgsl(this.record, lanes)}${this.#joining}`;
  }

  /** Buffers of a first-level kernel: `identity`, `partials` (unused there) and `results`, its partial records. */
  buffers(groups: number): GPUBuffer[] {
    const bytes = 4 * recordWords(this.record) * groups;
    return [this.#identity, this.#results, this.#partials.reserve(bytes)];
  }

  static readonly bindings = [
    { name: 'identity', type: 'array<u32>', access: 'read' },
    { name: 'partials', type: 'array<u32>', access: 'read' },
    { name: 'results', type: 'array<u32>', access: 'read_write' },
  ] as const;

  /** Joins the records of so many workgroups and reads the outcome back. */
  finish(groups: number): { record: Promise<ResultRecord>; flush(): void } {
    const { stream } = this.#gpu;
    const buffers = [this.#identity, this.#partials.buffer, this.#results];
    this.#gpu.operation = this.#label;
    stream.dispatch(this.#kernel, buffers, { groups, one: 1 }, 1);
    const readback = stream.read(this.#results, 4 * recordWords(this.record));
    return { record: readback.data.then((data) => this.#decode(data)), flush: readback.flush };
  }

  /** The device knows no infinities: the largest number stands for them. */
  #encode({ reals, ids }: ResultRecord): Uint32Array<ArrayBuffer> {
    const words = new Uint32Array(recordWords(this.record));
    const floats = new Float32Array(words.buffer);
    const wide = this.record.real === 'vec2f';
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
    const { reals, ids, real } = this.record;
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

/** `joinOther()`: the user's combination and ours, as one function. */
function lowerCombine(ir: FunctorIR, real: 'f32' | 'f64'): string {
  const env: WgslEnv = {
    param: (field) => {
      throw new Error(`a combine function has no parameter ${field}`);
    },
    item: recordEnv.item,
    writeItem: (_role, field, index, _op, value) => recordEnv.writeItem(field, index, value),
  };
  const { structs, functions, name } = lowerToWgsl(ir, { name: `functor_${ir.name}`, env, real });
  return `${structs}${functions}
fn joinOther() {
  var acc: ${name}_acc;
  var i: ${name}_i;
  ${name}(&acc, i);
}
`;
}
