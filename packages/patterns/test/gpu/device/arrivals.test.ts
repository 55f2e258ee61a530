import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Arrivals } from '../../../src/gpu/device/Arrivals.js';
import type { GpuDevice } from '../../../src/gpu/device/GpuDevice.js';

/** A queue that takes a fixed time for each dispatch, and its buffers. */
function fakeQueue(millisecondsEach: () => number) {
  const counters = { polls: 0, submits: 0 };
  const watch = { missing() {}, arrived() {} };
  const gpu = { failure: null as Error | null, counters, watch };
  const arrivals = new Arrivals(gpu as unknown as GpuDevice);
  let idleFrom = 0;
  const submit = (dispatches: number): { readyAt: number; arrival: Promise<void> } => {
    const readyAt = Math.max(idleFrom, performance.now()) + millisecondsEach() * dispatches;
    idleFrom = readyAt;
    let takeBack = (): void => {};
    const buffer = {
      mapAsync: () =>
        new Promise<void>((resolve, reject) => {
          takeBack = () => reject(new Error('taken back'));
          const look = (): void => {
            if (performance.now() >= readyAt) resolve();
            else setImmediate(look);
          };
          look();
        }),
      unmap: () => takeBack(),
    };
    arrivals.submitted(dispatches);
    return { readyAt, arrival: arrivals.mapped(buffer as unknown as GPUBuffer, 16) };
  };
  return { gpu, arrivals, counters, submit };
}

/** Keeps two batches under way. @returns how late their arrivals were noticed. */
async function stream(queue: ReturnType<typeof fakeQueue>, sizes: readonly number[]) {
  const late: number[] = [];
  const underWay: Promise<void>[] = [];
  for (const size of sizes) {
    const { readyAt, arrival } = queue.submit(size);
    underWay.push(arrival.then(() => void late.push(performance.now() - readyAt)));
    if (underWay.length === 2) await underWay.shift();
  }
  await Promise.all(underWay);
  return late;
}

describe('arrivals of results', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** Runs a stream while the clock goes on. */
  async function elapse<R>(work: Promise<R>): Promise<R> {
    let isDone = false;
    const end = work.finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await vi.advanceTimersByTimeAsync(0.25);
      await new Promise((resolve) => setImmediate(resolve));
    }
    return end;
  }

  it('are noticed by one or two looks each, soon enough for the device never to wait', async () => {
    const queue = fakeQueue(() => 0.1);
    await elapse(stream(queue, Array(20).fill(240)));
    const before = queue.counters.polls;
    const late = await elapse(stream(queue, Array(60).fill(240)));
    expect((queue.counters.polls - before) / 60).toBeLessThan(1.3);
    expect(Math.max(...late)).toBeLessThan(24 / 4);
  });

  it('are foreseen for batches of different sizes', async () => {
    const queue = fakeQueue(() => 0.1);
    const sizes = Array.from({ length: 80 }, (_, k) => (k % 2 === 0 ? 256 : 20));
    await elapse(stream(queue, sizes));
    const before = queue.counters.polls;
    const late = await elapse(stream(queue, sizes));
    expect((queue.counters.polls - before) / 80).toBeLessThan(1.6);
    expect(Math.max(...late)).toBeLessThan(25.6 / 4);
  });

  it('are soon noticed in time again after the device has been slow', async () => {
    let each = 0.1;
    const queue = fakeQueue(() => each);
    await elapse(stream(queue, Array(20).fill(240)));
    each = 3;
    await elapse(stream(queue, [240]));
    each = 0.1;
    await elapse(stream(queue, Array(12).fill(240)));
    const late = await elapse(stream(queue, Array(10).fill(240)));
    expect(Math.max(...late)).toBeLessThan(24 / 4);
  });

  it('are noticed in time although the first work took seconds, as when kernels are compiled', async () => {
    let each = 200;
    const queue = fakeQueue(() => each);
    await elapse(stream(queue, [10]));
    each = 0.1;
    await elapse(stream(queue, Array(8).fill(240)));
    const late = await elapse(stream(queue, Array(10).fill(240)));
    expect(Math.max(...late)).toBeLessThan(24 / 2);
  });

  it('are noticed in time although dispatches have become twenty times faster', async () => {
    let each = 0.2;
    const queue = fakeQueue(() => each);
    await elapse(stream(queue, Array(20).fill(240)));
    each = 0.01;
    await elapse(stream(queue, Array(20).fill(240)));
    const late = await elapse(stream(queue, Array(20).fill(240)));
    expect(Math.max(...late)).toBeLessThan(2.4);
  });

  it('are looked for without delay when they are awaited', async () => {
    const queue = fakeQueue(() => 0.1);
    await elapse(stream(queue, Array(10).fill(1000)));
    const { readyAt, arrival } = queue.submit(4);
    queue.arrivals.watchClosely();
    await elapse(arrival);
    expect(performance.now() - readyAt).toBeLessThan(1);
  });

  it('end with the error of the device', async () => {
    const queue = fakeQueue(() => 0.1);
    const { arrival } = queue.submit(1000);
    queue.gpu.failure = new Error('lost');
    const said = arrival.catch((error: Error) => error.message);
    expect(await elapse(said)).toBe('lost');
  });
});

describe('mappings that are taken back', () => {
  it('are kept until Dawn has told of them, a turn of the event loop later', async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const counters = { polls: 0, submits: 0 };
    const watch = { missing() {}, arrived() {} };
    const arrivals = new Arrivals({ failure: null, counters, watch } as unknown as GpuDevice);
    const mappings: WeakRef<Promise<void>>[] = [];
    const areThere: boolean[] = [];
    let takeBack = (): void => {};
    const buffer = {
      mapAsync() {
        const isLast = mappings.length === 3;
        const mapping = new Promise<void>((resolve, reject) => {
          takeBack = () => reject(new Error('taken back'));
          if (isLast) resolve();
        });
        mappings.push(new WeakRef(mapping));
        return mapping;
      },
      unmap() {
        takeBack();
        takeBack = () => {};
        setImmediate(() => {
          collect();
          areThere.push(mappings.at(-1)!.deref() !== undefined);
        });
      },
    };
    await arrivals.mapped(buffer as unknown as GPUBuffer, 16);
    expect(areThere).toEqual([true, true, true]);
  });
});
