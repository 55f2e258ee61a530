import { describe, expect, it } from 'vitest';
import { combined } from '../../src/handles/combined.js';
import { DeferredHandle } from '../../src/handles/DeferredHandle.js';
import { completed, passOutcome, pending, settable, whenDone } from '../../src/handles/handles.js';
import { Watch } from '../../src/handles/Watch.js';

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);
const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('combined handles', () => {
  it('give what the function makes of the results in their order, whichever comes first', async () => {
    const [a, b] = [settable<string>(), settable<string>()];
    const all = combined([a, completed('x'), b, a], (values) => values.join());
    b.resolve('b');
    await later();
    expect(all.done).toBe(false);
    a.resolve('a');
    expect(all.done).toBe(false); // nothing is made in the midst of what gives results
    expect(await all).toBe('a,x,b,a');
    expect(all.value).toBe('a,x,b,a');
  });

  it('are done at once where all results are there', () => {
    expect(combined([completed(1), completed(2)], sum).value).toBe(3);
    const done = settable<number>();
    done.resolve(4);
    expect(combined([done, completed(2)], sum).value).toBe(6);
    expect(combined([], sum).value).toBe(0);
  });

  it('start work that was deferred', async () => {
    let done = 0;
    const deferred = new DeferredHandle(() => done++);
    const under = settable<undefined>();
    const all = combined([deferred, under], () => done);
    expect(done).toBeGreaterThan(0);
    under.resolve(undefined);
    expect(await all).toBeGreaterThan(0);
  });

  it('fail with the error of a handle, of the function, or of what it returns', async () => {
    const [a, b] = [settable<number>(), settable<number>()];
    const failing = combined([a, b], sum);
    b.reject(new Error('second'));
    a.reject(new Error('first'));
    await expect(failing).rejects.toThrow('second');
    const failed = settable<number>();
    failed.reject(new Error('before'));
    await expect(combined([failed], sum)).rejects.toThrow('before');
    const under = settable<number>();
    const throwing = combined([under], () => {
      throw new Error('made badly');
    });
    const rejecting = combined([under], () => Promise.reject(new Error('too late')));
    under.resolve(1);
    await expect(throwing).rejects.toThrow('made badly');
    await expect(rejecting).rejects.toThrow('too late');
  });

  it('wait for a result that takes longer to make', async () => {
    const under = settable<number>();
    const all = combined([under], async ([value]) => {
      await later();
      return value! + 1;
    });
    under.resolve(1);
    expect(await all).toBe(2);
  });

  it('flush all of them when awaited, and not before', async () => {
    const flushed: string[] = [];
    const [a, b] = ['a', 'b'].map((name) => settable<number>(() => flushed.push(name)));
    const all = combined([a!, b!], sum);
    const done = whenDone(all);
    expect(flushed).toEqual([]);
    const waiting = all.wait();
    expect(flushed).toEqual(['a', 'b']);
    a!.resolve(1);
    b!.resolve(2);
    expect([await done, await waiting]).toEqual([3, 3]);
  });

  it('answer for errors in the place of the handles they are made of', async () => {
    const watch = new Watch();
    const under = settable<number>();
    watch.add(under);
    const all = watch.add(combined([under], sum));
    under.reject(new Error('seen by nobody'));
    await later();
    expect(all.done).toBe(true);
    await expect(watch.settle()).rejects.toThrow('seen by nobody');
    await watch.settle();
  });
});

describe('an outcome that is passed on', () => {
  it('is that of the other handle, whether it is there or comes', async () => {
    const [from, to, second] = [settable<number>(), settable<number>(), settable<number>()];
    passOutcome(from, to);
    from.resolve(3);
    passOutcome(from, second);
    expect([to.value, second.value]).toEqual([3, 3]);
    const third = settable<number>();
    passOutcome(completed(4), third);
    expect(await third).toBe(4);
  });

  it('may be an error', async () => {
    const to = settable<number>();
    passOutcome(pending(Promise.reject(new Error('no'))), to);
    await expect(to).rejects.toThrow('no');
  });
});
