import type { GpuDevice } from '../device/GpuDevice.js';
import {
  type GpuKernel,
  type KernelParams,
  type KernelSource,
  ParamRecord,
} from '../device/GpuKernel.js';
import type { ReplicaMemory } from './ReplicaMemory.js';
import { replicaBytes, replicaSource, strideName } from './replicaSource.js';

/** Of a kernel that takes one step. */
const ONE_STEP = { steps: 1, met: 0, slot: 0, buildsA: [0, 0, 0, 0], buildsB: [0, 0, 0, 0] };

/** What the kernels of one kind of steps share. */
export interface ReplicaSetting {
  readonly gpu: GpuDevice;
  readonly memory: ReplicaMemory;
  /** Which kind of several in one memory. */
  readonly kind: number;
  /** Replicas at most. */
  readonly most: number;
  /** Where in memory a buffer is: kernels may know one by two names. */
  readonly place: (name: string) => string;
}

/** A kernel that all replicas make in one dispatch, each with parameters of its own. */
export class ReplicaKernel {
  readonly source: KernelSource;
  readonly #setting: ReplicaSetting;
  readonly #records: string;
  #kernel: GpuKernel | null = null;

  /** @param source with all functions and bindings that it needs. @param name of the buffer of its parameters */
  constructor(setting: ReplicaSetting, source: KernelSource, name: string) {
    this.#setting = setting;
    this.#records = `parameters of ${name} of ${setting.kind}`;
    this.source = replicaSource(source, setting.most);
  }

  /** Whether the device can bind what it needs. */
  get fits(): boolean {
    const { maxStorageBuffersPerShaderStage } = this.#setting.gpu.limits;
    return this.source.buffers.length <= maxStorageBuffersPerShaderStage;
  }

  /** Gives each replica its parameters. @param write writes those of replica k, which begin at a byte. */
  setParameters(
    replicas: number,
    write: (record: ParamRecord, at: number, k: number) => void,
  ): void {
    const bytes = replicaBytes(this.source);
    const record = new ParamRecord(bytes * this.#setting.most);
    for (let k = 0; k < replicas; k++) write(record, k * bytes, k);
    this.#setting.memory.uploadParameters(this.#records, record);
  }

  /** @param workgroups of each replica. @param series which steps it takes, where it takes several */
  dispatch(replicas: number, workgroups: number, series: KernelParams = ONE_STEP): void {
    const { gpu, memory, place } = this.#setting;
    const { buffers } = this.source;
    const rows = buffers.map(({ name }) => [strideName(name), memory.rowsOf(place(name))] as const);
    const params = { ...series, workgroups, ...Object.fromEntries(rows) };
    const bound = buffers.map(({ name }) =>
      name === 'replicas' ? memory.parametersOf(this.#records) : memory.of(place(name)),
    );
    this.#kernel ??= gpu.compiled(this.source);
    gpu.stream.dispatch(this.#kernel, bound, params, workgroups * replicas);
  }
}
