import process from 'node:process';
import type { CorpuscleError } from '@corpuscle/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeviceWatch } from '../../../src/gpu/device/DeviceWatch.js';
import type { GpuDevice } from '../../../src/gpu/device/GpuDevice.js';

const told = vi.hoisted(() => [] as string[]);
vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  writeSync: (_: number, text: string) => told.push(text),
}));

/** A device whose kernels are these, watched at times that a test sets, with processor time as given. */
function watched({ software = false, limit = 10, loops = true } = {}) {
  const failures: CorpuscleError[] = [];
  const kernels = [
    { label: 'pairs', usedBy: 'lennard_jones_force', hasLoops: false },
    { label: 'push + spin', usedBy: 'push_velocity + spinner', hasLoops: loops },
  ];
  const gpu = {
    info: { software },
    kernelsSince: () => kernels,
    fail: (error: CorpuscleError) => failures.push(error),
  };
  const watch = new DeviceWatch(gpu as unknown as GpuDevice);
  watch.limit = limit;
  let now = 1e6;
  let used = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(process, 'cpuUsage').mockImplementation(() => ({ user: used, system: 0 }));
  vi.spyOn(process, 'once').mockImplementation(() => process);
  /** Looks four times a second, for so many seconds. */
  const wait = (
    work: { begun: number; time: number; first: number },
    seconds: number,
    busy = 1,
  ) => {
    for (const end = now + 1000 * seconds; now < end; ) {
      now += 250;
      used += 250_000 * busy;
      watch.missing(work);
    }
  };
  const sleep = (seconds: number) => {
    now += 1000 * seconds;
  };
  return { watch, failures, wait, sleep };
}

const work = (time = 0) => ({ begun: performance.now(), time, first: 0 });

describe('the watch over a device', () => {
  beforeEach(() => {
    told.length = 0;
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });

  it('tells after 4 s which functor with a loop was submitted, and fails the device at the limit', () => {
    const { watch, failures, wait } = watched();
    const endless = work();
    wait(endless, 3.75);
    expect(told).toEqual([]);
    wait(endless, 5.75);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(
      /^corpuscle: 'push \+ spin' in operators push_velocity, spinner has worked on one piece for 4 s.*ends after 10 s/,
    );
    expect(failures).toEqual([]);
    wait(endless, 0.5);
    expect(failures).toMatchObject([
      { code: 'KERNEL_FAILED', operators: ['push_velocity', 'spinner'] },
    ]);
    expect(watch.gaveUp).toBe(true);
  });

  it('lets submits that come take as long as they like together', () => {
    const { watch, failures, wait } = watched();
    for (let k = 0; k < 20; k++) {
      wait(work(), 3.5);
      watch.arrived();
    }
    expect([told, failures]).toEqual([[], []]);
  });

  it('lets functors without loops take as long as they like', () => {
    const { failures, wait } = watched({ loops: false });
    wait(work(), 1000);
    expect([told, failures]).toEqual([[], []]);
  });

  it('allows a submit four times as long as it is expected to take', () => {
    const { failures, wait } = watched();
    const long = work(5000);
    wait(long, 19);
    expect(told).toEqual([]);
    wait(long, 2);
    expect(told).toHaveLength(1);
    expect(failures).toHaveLength(1);
  });

  it('counts no time in which the host did not look, nor, on a software adapter, got no processor', () => {
    const stopped = watched();
    const endless = work();
    stopped.wait(endless, 1);
    stopped.sleep(3600);
    stopped.wait(endless, 1);
    expect([told, stopped.failures]).toEqual([[], []]);
    vi.restoreAllMocks();
    const starved = watched({ software: true });
    starved.wait(work(), 12, 0.05);
    expect([told, starved.failures]).toEqual([[], []]);
  });

  it('ends at a signal after its warning, and stops listening when the device goes on', () => {
    const { watch, failures, wait } = watched({ limit: Number.POSITIVE_INFINITY });
    const before = process.listenerCount('SIGTERM');
    wait(work(), 100);
    expect(told[0]).toMatch(/Ctrl-C or SIGTERM ends the run/);
    expect(failures).toEqual([]);
    expect(process.listenerCount('SIGTERM')).toBe(before + 1);
    watch.arrived();
    expect(process.listenerCount('SIGTERM')).toBe(before);
    wait(work(), 5);
    process.listeners('SIGTERM').at(-1)!('SIGTERM');
    expect(failures).toHaveLength(1);
    expect(process.listenerCount('SIGTERM')).toBe(before);
  });
});
