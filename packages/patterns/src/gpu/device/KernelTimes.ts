import type { DeviceAccount } from '../../engine/DeviceStatus.js';
import type { TraceSlice } from '../../engine/TraceSlice.js';
import type { GpuDevice } from './GpuDevice.js';

const QUERY_RESOLVE = 0x0200;
const COPY_SRC = 0x04;
const COPY_DST = 0x08;
const MAP_READ = 0x01;

/** Time that the device spent in one kernel. */
export interface KernelTime {
  readonly label: string;
  dispatches: number;
  milliseconds: number;
}

interface Dispatch {
  readonly label: string;
  readonly operator: string;
  readonly account: DeviceAccount | undefined;
}

/** Two time stamps around every dispatch of a batch, added up by kernel and by operator when they arrive. */
export class KernelTimes {
  readonly times = new Map<string, KernelTime>();
  /** Told of each dispatch when its stamps arrive. */
  told: ((slice: TraceSlice) => void) | null = null;
  /** Milliseconds from the clock of the device to that of the host: the least that stamps have been on their way. */
  #ahead = Number.POSITIVE_INFINITY;
  readonly #gpu: GpuDevice;
  readonly #queries: GPUQuerySet;
  readonly #resolved: GPUBuffer;
  readonly #pending = new Set<Promise<void>>();
  #dispatches: Dispatch[] = [];

  /** @param most dispatches between two submits. */
  constructor(gpu: GpuDevice, most: number) {
    this.#gpu = gpu;
    this.#queries = gpu.device.createQuerySet({ type: 'timestamp', count: 2 * most });
    this.#resolved = gpu.device.createBuffer({
      label: 'time stamps',
      size: 16 * most,
      usage: QUERY_RESOLVE | COPY_SRC,
    });
  }

  /** Where the next dispatch, alone in its pass, writes its time stamps. */
  next(dispatch: Dispatch): GPUComputePassTimestampWrites {
    const k = 2 * this.#dispatches.push(dispatch) - 2;
    return { querySet: this.#queries, beginningOfPassWriteIndex: k, endOfPassWriteIndex: k + 1 };
  }

  /** Records the read-back of a batch's stamps. @returns what to call when the batch has been submitted. */
  finish(encoder: GPUCommandEncoder): () => void {
    const dispatches = this.#dispatches;
    this.#dispatches = [];
    if (dispatches.length === 0) return () => {};
    const size = 16 * dispatches.length;
    const staging = this.#gpu.device.createBuffer({
      label: 'time stamps',
      size,
      usage: MAP_READ | COPY_DST,
    });
    encoder.resolveQuerySet(this.#queries, 0, 2 * dispatches.length, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, staging, 0, size);
    return () => {
      const arrival: Promise<void> = this.#collect(staging, dispatches)
        .catch(() => {}) // the device's own error is reported elsewhere
        .then(() => {
          this.#pending.delete(arrival);
        });
      this.#pending.add(arrival);
    };
  }

  /** Resolves when all stamps of submitted batches have arrived. */
  async arrived(): Promise<void> {
    await Promise.all(this.#pending);
  }

  free(): void {
    this.#queries.destroy();
    this.#resolved.destroy();
  }

  async #collect(staging: GPUBuffer, dispatches: readonly Dispatch[]): Promise<void> {
    await this.#gpu.stream.arrivals.mapped(staging, staging.size);
    const stamps = new BigUint64Array(staging.getMappedRange().slice(0));
    staging.destroy();
    this.#ahead = Math.min(this.#ahead, performance.now() - millisecondsOf(stamps.at(-1)!));
    dispatches.forEach(({ label, operator, account }, k) => {
      const time = this.times.get(label) ?? { label, dispatches: 0, milliseconds: 0 };
      time.dispatches++;
      const milliseconds = Math.max(0, millisecondsOf(stamps[2 * k + 1]! - stamps[2 * k]!));
      const begin = this.#ahead + millisecondsOf(stamps[2 * k]!);
      this.told?.({ track: 'device', name: label, operator, begin, milliseconds });
      time.milliseconds += milliseconds;
      if (account) account.milliseconds += milliseconds;
      this.times.set(label, time);
    });
  }
}

const millisecondsOf = (stamp: bigint): number => Number(stamp) / 1e6;
