import { afterEach, expect, it, vi } from 'vitest';
import { Arrivals } from '../../../src/gpu/device/Arrivals.js';
import { DeviceWatch } from '../../../src/gpu/device/DeviceWatch.js';
import type { GpuDevice } from '../../../src/gpu/device/GpuDevice.js';

// As in a page, where the browser tells of mappings.
const told = vi.hoisted(() => [] as string[]);
vi.mock('#patterns/platform', () => ({
  tellsMapping: true,
  processWatch: {
    tell: (line: string) => told.push(line),
    onSignals: () => () => {},
    leaveDevices() {},
    processorTime: () => performance.now() / 1000,
  },
}));
afterEach(() => void vi.useRealTimers());

it('a functor without end is told after 4 s in a page, and ends the run after the limit', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  const gpu = {
    failure: null as Error | null,
    counters: { polls: 0, submits: 1 },
    info: { software: false },
    kernelsSince: () => [{ label: 'spin', usedBy: 'spinner', hasLoops: true }],
    fail(error: Error) {
      this.failure = error;
    },
  };
  const watch = new DeviceWatch(gpu as unknown as GpuDevice);
  watch.limit = 10;
  const arrivals = new Arrivals(Object.assign(gpu, { watch }) as unknown as GpuDevice);
  const buffer = { mapAsync: () => new Promise<void>(() => {}) };
  const arrival = arrivals.mapped(buffer as unknown as GPUBuffer, 16);
  arrival.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(3500);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([expect.stringMatching(/'spin' in operator spinner has worked/)]);
  await vi.advanceTimersByTimeAsync(6000);
  await expect(arrival).rejects.toThrow(/'spin' .* for 10 s, and has been ended: a loop of it/);
});
