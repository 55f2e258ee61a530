/**
 * The shared memory through which the main thread hands jobs to workers. One cache line for each word that is
 * written often, then the job record, then one claim flag and one bound for each range of a static job.
 *
 *   GENERATION  grows by one at every job; workers wait for it to change
 *   ACTIVE      OPEN | number of workers inside the job; 0 means: over, the record may be overwritten
 *   NEXT        next index of a dynamic job
 *   SLEEPING    workers in Atomics.wait, so that waking them can be skipped when there are none
 *   WAITING     1 while the main thread sleeps until ACTIVE changes
 *   FAILED      kernels that threw in this job
 *   STOP        1 ends the workers
 *   PRESENT     workers that have started to serve
 *   DEAD        a worker that has ended unbidden, 0 for none
 *   GIVEN_UP    1 when the watching thread has ended work that has no end
 *   MAIN        what the main thread is inside: a kernel's number + 1, −(a name's number + 1), 0 for nothing
 *   OPERATOR    number + 1 of the name of the operator that makes the present calls, 0 for none
 *
 *   TIMED       1 while threads note how long they work
 *
 * Each thread counts the pieces of work it has done in a line of its own, after all others: a count that stands still, inside a
 * job, is work without end. In the next word it adds up the time that it works, in units of TIME_UNIT, where TIMED asks for it.
 *
 * A worker that wakes too late finds the job closed and goes back to sleep: no thread waits for it.
 */
export const Word = {
  GENERATION: 0,
  ACTIVE: 16,
  NEXT: 32,
  SLEEPING: 48,
  WAITING: 64,
  FAILED: 80,
  STOP: 96,
  PRESENT: 97,
  DEAD: 98,
  GIVEN_UP: 99,
  MAIN: 100,
  OPERATOR: 101,
  KERNEL: 112,
  ARGS: 113,
  BEGIN: 114,
  END: 115,
  CHUNK: 116,
  /** Ranges of a static job, 0 for a dynamic one, GUIDED for a guided one. */
  RANGES: 117,
  /** 1 when the main thread is not waiting: the last worker to leave sends a message. */
  BACKGROUND: 118,
  /** Pages of the heap when the job was made: JavaScript kernels renew their views when it has grown. */
  HEAP_PAGES: 119,
  TIMED: 120,
  CLAIMS: 128,
} as const;

/** Milliseconds of one unit of the time that a thread works. */
export const TIME_UNIT = 1 / 16384;

export const OPEN = 1 << 30;
/** In word RANGES. */
export const GUIDED = -1;

/** Bumped whenever main thread and worker script must change together. */
export const PROTOCOL = 7;

/** Bytes of a page of WebAssembly's memory. */
export const HEAP_PAGE = 65536;

/** Spinning longer than this wastes a core; sleeping earlier costs 10 to 50 µs at the next job. */
export const SPIN_MILLISECONDS = 0.2;

/** Ranges that a static job has at most: two a thread, or two of each part of a deterministic run. */
export const mostRanges = (threads: number): number => Math.max(2 * threads, 64);

const boundsAt = (threads: number): number =>
  Word.CLAIMS + 16 * Math.ceil(mostRanges(threads) / 16);

export function createControlBlock(threads: number): Int32Array {
  const bytes = 4 * (piecesAt(threads, 0) + 16 * threads);
  // A page without the headers that isolate it has none, and one thread.
  const isShared = typeof SharedArrayBuffer !== 'undefined';
  return new Int32Array(isShared ? new SharedArrayBuffer(bytes) : new ArrayBuffer(bytes));
}

/** Index of the word in which a thread counts the pieces of work it has done. */
export function piecesAt(threads: number, thread: number): number {
  return 16 * (Math.ceil((boundsAt(threads) + mostRanges(threads) + 1) / 16) + thread);
}

/** Index of the word that holds where range 0 begins. */
export function boundsOffset(threads: number): number {
  return boundsAt(threads);
}

/** When work begins, where its time is asked for; otherwise 0. A job takes about a microsecond, so nothing else is done for it. */
export const startTime = (control: Int32Array): number =>
  control[Word.TIMED] === 0 ? 0 : performance.now();

/** Adds the time since `start` to that of a thread. */
export function addTime(control: Int32Array, threads: number, me: number, start: number): void {
  if (start === 0) return;
  control[piecesAt(threads, me) + 1]! += Math.round((performance.now() - start) / TIME_UNIT);
}

/** A kernel as a thread calls it: `run(args, begin, end, thread)`. */
export type RunKernel = (args: number, begin: number, end: number, thread: number) => void;

/**
 * Takes part in the open job until no work is left to claim. Dynamic: chunks from a common counter. Guided: half of a
 * thread's share of what is left, down to one chunk. Static: whole
 * ranges, one's own first; a thread that works on range t passes index t, so that partial results do not depend on which thread came
 * first. There may be more ranges than threads.
 */
export function participate(
  control: Int32Array,
  threads: number,
  me: number,
  run: RunKernel,
): void {
  const args = Atomics.load(control, Word.ARGS) >>> 0;
  const end = Atomics.load(control, Word.END);
  const chunk = Atomics.load(control, Word.CHUNK);
  const ranges = Atomics.load(control, Word.RANGES);
  const pieces = piecesAt(threads, me);
  if (ranges === 0) {
    for (;;) {
      const begin = Atomics.add(control, Word.NEXT, chunk);
      if (begin >= end) return;
      run(args, begin, Math.min(begin + chunk, end), me);
      control[pieces]!++;
    }
  }
  if (ranges === GUIDED) {
    for (;;) {
      const begin = Atomics.load(control, Word.NEXT);
      if (begin >= end) return;
      const share = chunk * Math.max(1, Math.floor((end - begin) / (2 * threads * chunk)));
      const stop = Math.min(begin + share, end);
      if (Atomics.compareExchange(control, Word.NEXT, begin, stop) !== begin) continue;
      run(args, begin, stop, me);
      control[pieces]!++;
    }
  }
  const bounds = boundsAt(threads);
  const first = Math.floor((me * ranges) / threads);
  for (let k = 0; k < ranges; k++) {
    const range = (first + k) % ranges;
    // Most are taken by then: looking takes no line of memory away from others.
    if (Atomics.load(control, Word.CLAIMS + range) !== 0) continue;
    if (Atomics.compareExchange(control, Word.CLAIMS + range, 0, 1) !== 0) continue;
    const [begin, end] = [control[bounds + range]!, control[bounds + range + 1]!];
    runInChunks(run, { args, begin, end, chunk, thread: range }, control, pieces);
  }
}

/** Indices that one thread works on. */
export interface Range {
  readonly args: number;
  readonly begin: number;
  readonly end: number;
  readonly chunk: number;
  /** The thread index that the kernel is given. */
  readonly thread: number;
}

/** Runs a range in chunks: V8 replaces wasm code by its optimized form only between calls. Counts them at `pieces`. */
export function runInChunks(
  run: RunKernel,
  { args, begin, end, chunk, thread }: Range,
  control: Int32Array,
  pieces: number,
): void {
  for (let at = begin; at < end; at += chunk) {
    run(args, at, Math.min(at + chunk, end), thread);
    control[pieces]!++;
  }
}

/** Leaves nothing to claim: after a failure the job ends as soon as everybody is out. */
export function abandon(control: Int32Array, threads: number): void {
  Atomics.store(control, Word.NEXT, Atomics.load(control, Word.END));
  for (let range = 0; range < mostRanges(threads); range++)
    Atomics.store(control, Word.CLAIMS + range, 1);
}
