/** What a device was made to do; for profiles, and for proofs that nothing moves inside a step loop. */
export interface GpuCounters {
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

export function newCounters(): GpuCounters {
  return {
    uploads: 0,
    uploadedBytes: 0,
    downloads: 0,
    downloadedBytes: 0,
    dispatches: 0,
    submits: 0,
    polls: 0,
    pipelines: 0,
    allocatedBytes: 0,
  };
}
