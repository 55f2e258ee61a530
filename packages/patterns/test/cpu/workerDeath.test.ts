import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { CorpuscleError, SharedHeap } from '@corpuscle/core';
import { Piscina } from 'piscina';
import { afterEach, expect, it, vi } from 'vitest';
import { itOnce, runs } from '../../../../test/support/runs.js';
import { ArgumentLayout, type Kernel } from '../../src/cpu/Kernel.js';
import type { Schedule } from '../../src/cpu/Schedule.js';
import { ThreadPool } from '../../src/cpu/ThreadPool.js';

const dynamic: Schedule = { kind: 'dynamic', chunk: 1 };
const javascript = (label: string, source: string): Kernel => ({
  key: label,
  label,
  code: { kind: 'javascript', source: () => source },
  args: new ArgumentLayout(),
});
const nothing = javascript('nothing', 'return () => {}');
/** Takes a while, so that every thread joins; workers end inside. */
const deadly = javascript(
  'deadly',
  `return (args, begin, end, thread) => {
     if (thread !== 0) process.exit(3);
     const start = performance.now();
     while (performance.now() - start < 2);
   };`,
);

let pool: ThreadPool | undefined;
afterEach(async () => {
  await pool?.close();
  vi.restoreAllMocks();
});

async function open(): Promise<{ pool: ThreadPool; piscina: () => Piscina }> {
  const runs = vi.spyOn(Piscina.prototype, 'run');
  pool = new ThreadPool(new SharedHeap(1), 2);
  await pool.ready();
  return { pool, piscina: () => runs.mock.contexts[0] as Piscina };
}

/** What is thrown within 5 s, as one sentence that says what happened. */
async function failure(action: () => unknown): Promise<CorpuscleError> {
  const start = performance.now();
  try {
    await action();
  } catch (error) {
    expect(performance.now() - start).toBeLessThan(5000);
    expect(error).toBeInstanceOf(CorpuscleError);
    expect(error).toMatchObject({ code: 'THREAD_LOST' });
    return error as CorpuscleError;
  }
  throw new Error('nothing was reported');
}

it('a worker that ends inside a kernel is reported with the kernel, each time', async () => {
  for (let k = 0; k < runs(5, 20); k++) {
    const { pool } = await open();
    const error = await failure(() => pool.run(deadly, 0, 0, 50, dynamic));
    expect(error.message).toMatch(/^CPU thread 1 of 2 has ended while 'deadly' ran:/);
    await failure(() => pool.run(nothing, 0, 0, 50, dynamic));
    await pool.close();
  }
});

itOnce('a worker that ends between jobs is reported at the next one', async () => {
  const { pool, piscina } = await open();
  pool.run(nothing, 0, 0, 50, dynamic);
  await piscina().threads[0]!.terminate();
  await vi.waitFor(() => expect(() => pool.run(nothing, 0, 0, 50, dynamic)).toThrow(/CPU thread/));
});

itOnce('a worker that ends in the background rejects the job', async () => {
  const { pool } = await open();
  const error = await failure(() => pool.start(deadly, 0, 0, 50, dynamic).finished);
  expect(error.message).toContain('deadly');
});

// Five seconds of a core each; test/reliability/endless.test.ts has one in `test`.
it.concurrent.each(runs([], ['SIGTERM', 'SIGINT', 'SIGHUP']) as NodeJS.Signals[])(
  'a kernel without end is told with its name and obeys %s, though the main thread is inside',
  async (signal) => {
    const script = fileURLToPath(new URL('../fixtures/endlessKernel.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script]);
    const ended = new Promise<string | null>((resolve) => child.on('exit', (_, by) => resolve(by)));
    try {
      const told = await new Promise<string>((resolve) => {
        child.stderr.once('data', (data) => resolve(String(data)));
      });
      expect(told).toMatch(/^corpuscle: 'spin' has worked on one piece for 4 s: .*\n$/);
      const start = performance.now();
      child.kill(signal);
      expect(await ended).toBe('SIGKILL');
      expect(performance.now() - start).toBeLessThan(2000);
    } finally {
      child.kill('SIGKILL');
    }
  },
  30_000,
);
