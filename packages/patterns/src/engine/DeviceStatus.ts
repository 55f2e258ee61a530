import type { TraceSlice } from './TraceSlice.js';
/** What a device was made to do; for profiles, and for proofs that nothing moves inside a step loop. */
export interface DeviceCounters {
  /** State copied from host to device: fields, arrays, tables. */
  uploads: number;
  uploadedBytes: number;
  /** Anything copied from device to host. */
  downloads: number;
  downloadedBytes: number;
  dispatches: number;
  submits: number;
  /** Times the host looked whether results had arrived. */
  polls: number;
  /** Pipelines compiled. */
  pipelines: number;
  /** Bytes of buffers that live. */
  allocatedBytes: number;
}

/** What one operator made the device do. */
export interface DeviceAccount {
  /** The operator; several joined by ' + ' where their kernels were joined. */
  readonly operator: string;
  dispatches: number;
  /** Time of the device, where it has time stamps. */
  milliseconds: number;
  uploadedBytes: number;
  downloadedBytes: number;
  /** Copies to the host. */
  reads: number;
}

/** Operators and kernels by time, and what was moved, since `startProfile`. */
export interface DeviceProfile {
  /** What each operator made the device do; operators whose kernels were joined share one, with ' + ' in its name. */
  readonly operators: readonly DeviceAccount[];
  /** Empty where the device has no time stamps. */
  readonly kernels: readonly { label: string; dispatches: number; milliseconds: number }[];
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  readonly dispatches: number;
  readonly submits: number;
  /** Windows of steps that were done again because their lists proved too old or too short. */
  readonly repeats: number;
}

/** The device of a context: what it has done, and whether it still works. */
export interface DeviceStatus {
  /** Transfers, dispatches and submits so far. */
  readonly counters: Readonly<DeviceCounters>;
  /** False while calls wait to be started: until then blocks do not say what will be written on the device. */
  readonly idle: boolean;
  /** Resolves when every call made so far has been started. */
  started(): Promise<void>;
  /** Resolves when the device has done everything asked of it. */
  finished(): Promise<void>;
  /** Times kernels from now on, where the device has time stamps: of calls by `operators`, or of fused steps by `kernels`. */
  startProfile(by?: 'operators' | 'kernels'): void;
  /** What the device has done since `startProfile`. */
  profile(): Promise<DeviceProfile>;
  /** Tells of kernels from now on, where the device has time stamps. @internal */
  trace?(told: (slice: TraceSlice) => void): void;
}
