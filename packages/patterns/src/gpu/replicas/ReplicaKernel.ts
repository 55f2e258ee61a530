import type { GpuDevice } from '../device/GpuDevice.js';
import {
  type GpuKernel,
  type KernelParams,
  type KernelSource,
  ParamRecord,
} from '../device/GpuKernel.js';
import type { ReplicaMemory } from './ReplicaMemory.js';
import type { ReplicaSlot } from './ReplicaSlot.js';
import { MOST_REPLICAS, replicaBytes, replicaSource, strideName } from './replicaSource.js';

/** Of a kernel that takes one step. */
const ONE_STEP = { steps: 1, met: 0, slot: 0, buildsA: [0, 0, 0, 0], buildsB: [0, 0, 0, 0] };

/** What the kernels of one kind of steps share. */
export interface ReplicaSetting {
  readonly gpu: GpuDevice;
  readonly memory: ReplicaMemory;
  /** Which kind of several in one memory. */
  readonly kind: string;
  /** Where in memory a buffer is: kernels may know one by two names. */
  readonly place: (name: string) => string;
}

/** Replicas that take part, by their slots. */
export class Participants {
  readonly slots: readonly ReplicaSlot[];
  /** Replicas up to the last that takes part. */
  readonly count: number;
  /** A bit each. */
  readonly bits: { readonly replicasA: readonly number[]; readonly replicasB: readonly number[] };

  constructor(slots: readonly ReplicaSlot[]) {
    this.slots = slots;
    this.count = Math.max(...slots.map(({ number }) => number)) + 1;
    const words = new Uint32Array(MOST_REPLICAS / 32);
    for (const { number } of slots) words[number >> 5]! |= 1 << (number & 31);
    this.bits = { replicasA: [...words.subarray(0, 4)], replicasB: [...words.subarray(4)] };
  }
}

/** A kernel that all replicas make in one dispatch, each with parameters of its own. */
export class ReplicaKernel {
  readonly source: KernelSource;
  readonly #setting: ReplicaSetting;
  readonly #records: string;
  #kernel: GpuKernel | null = null;
  /** Where its buffers are in memory, and the parameters that say how many rows of each belong to a replica. */
  readonly #places: readonly string[];
  readonly #strides: readonly string[];

  /** @param source with all functions and bindings that it needs. @param name of the buffer of its parameters */
  constructor(setting: ReplicaSetting, source: KernelSource, name: string) {
    this.#setting = setting;
    this.#records = `parameters of ${name} of ${setting.kind}`;
    this.source = replicaSource(source, setting.memory.most);
    const names = this.source.buffers.map(({ name }) => name);
    this.#places = names.map(setting.place);
    this.#strides = names.map(strideName);
  }

  /** Whether the device can bind what it needs. */
  get fits(): boolean {
    const { maxStorageBuffersPerShaderStage } = this.#setting.gpu.limits;
    return this.source.buffers.length <= maxStorageBuffersPerShaderStage;
  }

  /** Gives each replica its parameters. @param write writes those of the k-th that takes part, which begin at a byte. */
  setParameters(
    { slots }: Participants,
    write: (record: ParamRecord, at: number, k: number) => void,
  ): void {
    const { memory } = this.#setting;
    const bytes = replicaBytes(this.source);
    const record = new ParamRecord(bytes * memory.most);
    for (const [k, { number }] of slots.entries()) write(record, number * bytes, k);
    memory.uploadParameters(this.#records, record);
  }

  /** @param workgroups of each replica. @param series which steps it takes, where it takes several */
  dispatch(
    { count, bits }: Participants,
    workgroups: number,
    series: KernelParams = ONE_STEP,
  ): void {
    const { gpu, memory } = this.#setting;
    const params: Record<string, number | readonly number[]> = { ...bits, ...series, workgroups };
    const bound = this.#places.map((place, k) => {
      params[this.#strides[k]!] = memory.rowsOf(place);
      return place === 'replicas' ? memory.parametersOf(this.#records) : memory.of(place);
    });
    this.#kernel ??= gpu.compiled(this.source);
    gpu.stream.dispatch(this.#kernel, bound, params, workgroups * count);
  }
}
