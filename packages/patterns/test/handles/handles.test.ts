import { describe, expect, it } from 'vitest';
import { CallOrder } from '../../src/handles/CallOrder.js';
import { completed, pending } from '../../src/handles/handles.js';
import { Watch } from '../../src/handles/Watch.js';

const later = <T>(value: T, milliseconds = 2): Promise<T> =>
  new Promise((resolve) => setTimeout(() => resolve(value), milliseconds));

describe('a completed handle', () => {
  it('is done, has its value and can be awaited', async () => {
    const handle = completed({ n: 3 });
    expect(handle.done).toBe(true);
    expect(handle.value).toEqual({ n: 3 });
    expect(await handle.wait()).toEqual({ n: 3 });
    expect(await handle).toEqual({ n: 3 });
    expect(await handle.then(({ n }) => n + 1)).toBe(4);
  });
});

describe('a pending handle', () => {
  it('is done when its work is done', async () => {
    const handle = pending(later(7));
    expect(handle.done).toBe(false);
    expect(() => handle.value).toThrow(expect.objectContaining({ code: 'INTERNAL' }));
    expect(await handle.wait()).toBe(7);
    expect(handle.done).toBe(true);
    expect(handle.value).toBe(7);
  });

  it('keeps an error until it is awaited, however late', async () => {
    const handle = pending(later(0).then(() => Promise.reject(new Error('went wrong'))));
    await later(0, 20);
    expect(handle.done).toBe(true);
    expect(() => handle.value).toThrow('went wrong');
    await expect(handle.wait()).rejects.toThrow('went wrong');
    await expect(handle).rejects.toThrow('went wrong');
  });
});

describe('the order of calls', () => {
  it('starts calls at once while nothing waits', () => {
    const order = new CallOrder();
    const log: number[] = [];
    for (const k of [1, 2])
      order.run(
        () => null,
        () => completed(void log.push(k)),
      );
    expect(log).toEqual([1, 2]);
    expect(order.idle).toBe(true);
  });

  it('keeps program order after a call that waits', async () => {
    const order = new CallOrder();
    const log: string[] = [];
    const first = order.run(
      () => later(undefined, 10),
      () => completed(log.push('first')),
    );
    const second = order.run(
      () => null,
      () => completed(log.push('second')),
    );
    expect([first.done, second.done, log]).toEqual([false, false, []]);
    expect(await second).toBe(2);
    expect(await first).toBe(1);
    expect(log).toEqual(['first', 'second']);
    await order.settled();
    expect(order.idle).toBe(true);
  });

  it('asks what to await when the turn has come, not before', async () => {
    const order = new CallOrder();
    let written = false;
    order.run(
      () => later(undefined, 5),
      () => {
        written = true;
        return completed();
      },
    );
    let seen: boolean | null = null;
    await order.run(
      () => {
        seen = written;
        return null;
      },
      () => completed(),
    );
    expect(seen).toBe(true);
  });

  it('gives an error to the call it belongs to, and goes on', async () => {
    const order = new CallOrder();
    const bad = order.run(
      () => Promise.reject(new Error('no transfer')),
      () => completed(1),
    );
    const good = order.run(
      () => null,
      () => completed(2),
    );
    await expect(bad).rejects.toThrow('no transfer');
    expect(await good).toBe(2);
  });
});

describe('handles that are watched', () => {
  it('tell of every failure that has not been seen, also of those added while others are awaited', async () => {
    const watch = new Watch();
    const failing = (milliseconds: number) =>
      pending(later(0, milliseconds).then(() => Promise.reject(new Error(`${milliseconds} ms`))));
    for (let k = 0; k < 300; k++) watch.add(completed(k));
    watch.add(pending(later(1, 5)));
    watch.add(failing(10));
    const settled = watch.settle();
    for (let k = 0; k < 600; k++) watch.add(pending(later(k, 1)));
    watch.add(failing(15));
    await expect(settled).rejects.toThrow(/2 calls that nobody awaited failed; the first: 10 ms/);
    await watch.settle();
  });
});
