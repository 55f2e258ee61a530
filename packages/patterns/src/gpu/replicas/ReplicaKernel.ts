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

/** A kernel that all replicas make in one dispatch, each with parameters of its own. */
export class ReplicaKernel {
  readonly source: KernelSource;
  readonly #gpu: GpuDevice;
  readonly #memory: ReplicaMemory;
  readonly #most: number;
  #kernel: GpuKernel | null = null;
  readonly #records: string;

  /** @param source with all functions and bindings that it needs. @param name of the buffer of its parameters. @param most replicas at most */
  constructor(
    gpu: GpuDevice,
    memory: ReplicaMemory,
    source: KernelSource,
    name: string,
    most: number,
  ) {
    this.#gpu = gpu;
    this.#memory = memory;
    this.#most = most;
    this.#records = `parameters of ${name}`;
    this.source = replicaSource(source, most);
  }

  /** Whether the device can bind what it needs. */
  get fits(): boolean {
    const { maxStorageBuffersPerShaderStage } = this.#gpu.limits;
    return this.source.buffers.length <= maxStorageBuffersPerShaderStage;
  }

  /** Gives each replica its parameters. @param write writes those of replica k, which begin at a byte. */
  setParameters(
    replicas: number,
    write: (record: ParamRecord, at: number, k: number) => void,
  ): void {
    const bytes = replicaBytes(this.source);
    const record = new ParamRecord(bytes * this.#most);
    for (let k = 0; k < replicas; k++) write(record, k * bytes, k);
    this.#memory.uploadParameters(this.#records, record);
  }

  /** @param workgroups of each replica. @param series which steps it takes, where it takes several */
  dispatch(replicas: number, workgroups: number, series: KernelParams = ONE_STEP): void {
    const memory = this.#memory;
    const { buffers } = this.source;
    const rows = buffers.map(({ name }) => [strideName(name), memory.rowsOf(name)] as const);
    const params = { ...series, workgroups, ...Object.fromEntries(rows) };
    const bound = buffers.map(({ name }) =>
      name === 'replicas' ? memory.parametersOf(this.#records) : memory.of(name),
    );
    this.#kernel ??= this.#gpu.compiled(this.source);
    this.#gpu.stream.dispatch(this.#kernel, bound, params, workgroups * replicas);
  }
}
