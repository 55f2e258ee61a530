import type { DeviceCounters } from '../../engine/DeviceStatus.js';

/** The counters of a device that has done nothing yet. */
export function newCounters(): DeviceCounters {
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
