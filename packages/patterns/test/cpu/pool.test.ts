import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { CorpuscleError, SharedHeap } from '@corpuscle/core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bundleScript } from '../../../../test/support/bundleScript.js';
import { ArgumentLayout, type Kernel } from '../../src/cpu/Kernel.js';
import type { Schedule } from '../../src/cpu/Schedule.js';
import { ThreadPool } from '../../src/cpu/ThreadPool.js';
import { availableThreads } from '../../src/engine/availableThreads.js';

let heap: SharedHeap;
let pool: ThreadPool;

beforeEach(() => {
  heap = new SharedHeap(1);
});
afterEach(() => pool.close());

const javascript = (label: string, source: string): Kernel => ({
  key: label,
  label,
  code: { kind: 'javascript', source: () => source },
  args: new ArgumentLayout(),
});

/** Counts visits of each index at args, and notes the thread index in the upper half. */
const visits = javascript(
  'visits',
  `let view = new Int32Array(memory.buffer);
   return (args, begin, end, thread) => {
     if (view.buffer !== memory.buffer) view = new Int32Array(memory.buffer);
     for (let k = begin; k < end; k++) Atomics.add(view, (args >> 2) + k, 1 + (thread << 16));
   };`,
);

/** Spins for a millisecond per call and counts calls per thread. */
const slow = javascript(
  'slow',
  `const view = new Int32Array(memory.buffer);
   return (args, begin, end, thread) => {
     const start = performance.now();
     while (performance.now() - start < 1);
     Atomics.add(view, (args >> 2) + thread, 1);
   };`,
);

/** (module (import "env" "memory" …) (func (export "run") (param i32 i32 i32 i32) unreachable)) */
const trap: Kernel = {
  key: 'trap',
  label: 'a trapping kernel',
  args: new ArgumentLayout(),
  code: {
    kind: 'wasm',
    // biome-ignore format: a module byte by byte: header, type, import, function, export, code
    bytes: () => new Uint8Array([
      0, 97, 115, 109, 1, 0, 0, 0,  1, 8, 1, 96, 4, 127, 127, 127, 127, 0,
      2, 18, 1, 3, 101, 110, 118, 6, 109, 101, 109, 111, 114, 121, 2, 3, 1, 128, 128, 4,
      3, 2, 1, 0,  7, 7, 1, 3, 114, 117, 110, 0, 0,  10, 5, 1, 3, 0, 0, 11,
    ]),
  },
};

const dynamic = (chunk: number): Schedule => ({ kind: 'dynamic', chunk });

describe.each([1, 2])('a pool of %i threads', (threads) => {
  beforeEach(() => {
    pool = new ThreadPool(heap, threads);
  });

  it('visits every index exactly once, whatever the chunk', () => {
    for (const chunk of [1, 7, 64, 10_000]) {
      const address = heap.allocate(4 * 1000);
      pool.run(visits, address, 3, 1000, dynamic(chunk));
      const counts = Array.from(heap.i32(address, 1000), (value) => value & 0xffff);
      expect(counts).toEqual(counts.map((_, k) => (k < 3 ? 0 : 1)));
    }
  });

  it('tells how long each thread has worked', () => {
    const read = pool.measure();
    pool.run(slow, heap.allocate(4 * threads), 0, 10, dynamic(1));
    const total = read().reduce((a, b) => a + b);
    expect(read()).toHaveLength(threads);
    expect(total).toBeGreaterThanOrEqual(9.9); // ten calls of a millisecond
  });

  it('gives range t of a static schedule the thread index t, in every run', async () => {
    await pool.ready();
    const bounds = threads === 1 ? [0, 1000] : [0, 300, 1000];
    for (let run = 0; run < 50; run++) {
      const address = heap.allocate(4 * 1000);
      pool.run(visits, address, 0, 1000, { kind: 'static', bounds, chunk: 64 });
      const view = heap.i32(address, 1000);
      const threadOf = (k: number) => (threads === 2 && k >= 300 ? 1 : 0);
      expect(view.findIndex((count, k) => count !== 1 + (threadOf(k) << 16))).toBe(-1);
      heap.free(address);
    }
  });

  it('shows JavaScript kernels memory that has grown since they were made', async () => {
    await pool.ready();
    pool.run(visits, heap.allocate(400), 0, 100, dynamic(1));
    const far = heap.allocate(4 * 4_000_000);
    pool.run(visits, far, 3_999_000, 4_000_000, dynamic(10));
    const tail = heap.i32(far + 4 * 3_999_000, 1000);
    expect(tail.every((value) => (value & 0xffff) === 1)).toBe(true);
  });

  it.each([
    [
      'a JavaScript throw',
      javascript('a throwing kernel', 'return () => { throw new Error("bad luck") }'),
      'bad luck',
    ],
    ['a wasm trap', trap, 'unreachable'],
  ])('turns %s into an error that names the kernel, and goes on', async (_, kernel, words) => {
    await pool.ready();
    for (let run = 0; run < 20; run++) {
      expect(() => pool.run(kernel, 0, 0, 100, dynamic(1))).toThrow(
        expect.objectContaining({
          code: 'KERNEL_FAILED',
          message: expect.stringContaining(kernel.label),
          cause: expect.objectContaining({ message: expect.stringContaining(words) }),
        }),
      );
    }
    const address = heap.allocate(400);
    pool.run(visits, address, 0, 100, dynamic(1));
    expect(heap.i32(address, 100).every((value) => (value & 0xffff) === 1)).toBe(true);
  });

  it('refuses work once closed, and closes twice', async () => {
    pool.run(visits, heap.allocate(400), 0, 100, dynamic(1));
    await pool.close();
    await pool.close();
    expect(() => pool.run(visits, 0, 0, 10, dynamic(1))).toThrow(
      expect.objectContaining({ code: 'CLOSED' }),
    );
    expect(() => pool.start(visits, 0, 0, 10, dynamic(1))).toThrow(CorpuscleError);
  });
});

describe('threads', () => {
  it('are capped at the cores', () => {
    pool = new ThreadPool(heap, 1000);
    expect(pool.threads).toBe(availableThreads());
  });

  it.runIf(availableThreads() > 1)('share the work', async () => {
    pool = new ThreadPool(heap, 2);
    await pool.ready();
    const address = heap.allocate(8);
    pool.run(slow, address, 0, 60, dynamic(1));
    const [main, worker] = heap.i32(address, 2);
    expect(main! + worker!).toBe(60);
    expect(Math.min(main!, worker!)).toBeGreaterThan(5);
  });

  it.runIf(availableThreads() > 1)('report a failure that only a worker meets', async () => {
    pool = new ThreadPool(heap, 2);
    await pool.ready();
    const kernel = javascript(
      'worker only',
      'return (a, b, e, thread) => { if (thread === 1) throw new Error("in one") }',
    );
    const schedule: Schedule = { kind: 'static', bounds: [0, 1, 2], chunk: 1 };
    expect(() => pool.run(kernel, 0, 0, 2, schedule)).toThrow(/'worker only' failed: in one/);
  });

  it('sleep when idle', async () => {
    pool = new ThreadPool(heap, 2);
    await pool.ready();
    pool.run(slow, heap.allocate(8), 0, 10, dynamic(1));
    await new Promise((resolve) => setTimeout(resolve, 20));
    const before = process.cpuUsage();
    await new Promise((resolve) => setTimeout(resolve, 300));
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 300_000).toBeLessThan(0.3); // a spinning thread would use 1.0
  });
});

it('closes while its threads are still starting', async () => {
  for (let repeat = 0; repeat < 5; repeat++) {
    pool = new ThreadPool(heap, 2);
    const ready = pool.ready();
    await new Promise((resolve) => setTimeout(resolve, 8 * repeat));
    await pool.close();
    await ready;
  }
});

describe('background jobs', () => {
  beforeEach(() => {
    pool = new ThreadPool(heap, 2);
  });

  it.runIf(availableThreads() > 1)('leave the main thread free and finish in order', async () => {
    const address = heap.allocate(8);
    const jobs = [0, 1].map(() => pool.start(slow, address, 0, 50, dynamic(1)));
    expect(jobs.map((job) => job.done)).toEqual([false, false]);
    let ticks = 0;
    const timer = setInterval(() => ticks++, 2);
    await jobs[0]!.finished;
    clearInterval(timer);
    expect(ticks).toBeGreaterThan(5);
    await jobs[1]!.finished;
    expect(jobs.map((job) => job.done)).toEqual([true, true]);
    expect([...heap.i32(address, 2)]).toEqual([0, 100]);
  });

  it('are completed by a synchronous job after them', () => {
    const address = heap.allocate(8);
    const jobs = [0, 1, 2].map(() => pool.start(slow, address, 0, 10, dynamic(1)));
    pool.run(visits, heap.allocate(400), 0, 100, dynamic(10));
    expect(jobs.every((job) => job.done)).toBe(true);
    const [main, worker] = heap.i32(address, 2);
    expect(main! + worker!).toBe(30);
  });

  it('reject with their own error, and the next one runs', async () => {
    const failing = javascript('fails', 'return () => { throw new Error("late") }');
    const bad = pool.start(failing, 0, 0, 10, dynamic(1));
    const address = heap.allocate(400);
    const good = pool.start(visits, address, 0, 100, dynamic(10));
    await expect(bad.finished).rejects.toMatchObject({
      code: 'KERNEL_FAILED',
      message: "'fails' failed: late",
    });
    await good.finished;
    expect(heap.i32(address, 100).every((value) => (value & 0xffff) === 1)).toBe(true);
  });
});

describe('a process', () => {
  beforeEach(() => {
    pool = new ThreadPool(heap, 1);
  });

  // Beside the worker, as the pool of the built package is.
  const home = mkdtempSync(fileURLToPath(new URL('../../dist/exit-', import.meta.url)));
  const bundle = join(home, 'poolExit.mjs');
  const script = fileURLToPath(new URL('../fixtures/poolExit.ts', import.meta.url));
  beforeAll(() => bundleScript(script, bundle));
  afterAll(() => rmSync(home, { recursive: true }));

  it.each(['idle', 'background'])('ends by itself with the pool open (%s)', async (mode) => {
    const { stdout } = await promisify(execFile)(process.execPath, [bundle, mode], {
      timeout: 20_000,
    });
    expect(stdout).toBe('end of script\n');
  });
});
