import type { FieldBlock, Grid, SharedHeap } from '@corpuscle/core';
import { ArgumentLayout, type Kernel } from './Kernel.js';
import type { Schedule } from './Schedule.js';
import type { ThreadPool } from './ThreadPool.js';
import type { Unfinished } from './Unfinished.js';

/** A kernel over the rows of a grid, with its argument record; row r depends on row r of the blocks only. */
export interface RowWork {
  readonly kernel: Kernel;
  /** Address of the argument record, which must not change before the work is done. */
  readonly record: number;
  /** The blocks of the grid that the kernel reads or writes. */
  readonly blocks: readonly FieldBlock[];
  /** Those of them that are all 0 afterwards. */
  readonly clears?: readonly FieldBlock[];
}

/** Kernels in a row, and the kernel that they are together. */
interface Sequence {
  readonly kernels: readonly Kernel[];
  readonly whole: Kernel;
}

/** Rows that go through all kernels of a pass before the next ones do: the last-level cache holds them. */
const CHUNK = 32768;
/** Sequences that are found without their keys: a step has some. */
const LATEST = 8;
/** Rows of which a range has a multiple. */
const STEP = 256;

/**
 * Puts off work that goes row by row, so that consecutive passes over the particles become one:
 *
 *   add the threads' forces | kick | kick and drift | displacement      chunk 0, then all four on chunk 1, …
 *
 * The results are the same bits, because no row depends on another. A use of one of the blocks, through
 * `FieldBlock.address` or `array`, completes the work first.
 */
export class RowQueue {
  readonly #heap: SharedHeap;
  readonly #pool: ThreadPool;
  readonly #unfinished: Unfinished;
  readonly #sequences = new Map<string, Kernel>();
  readonly #latest: Sequence[] = [];
  readonly #complete = (): void => this.flush();
  #grid: Grid | null = null;
  #count = 0;
  #work: RowWork[] = [];
  /** The operators that have put work off. */
  readonly #operators = new Set<string>();
  /** Words of the records of a sequence, in the heap. */
  #list = 0;
  #listLength = 0;
  /** The latest schedule, for so many rows. */
  #shares: { readonly rows: number; readonly schedule: Schedule } | null = null;

  constructor(heap: SharedHeap, pool: ThreadPool, unfinished: Unfinished) {
    this.#heap = heap;
    this.#pool = pool;
    this.#unfinished = unfinished;
  }

  get isEmpty(): boolean {
    return this.#work.length === 0;
  }

  /** Whether a block will be all 0 when the work that waits is done. */
  willBeZero(block: FieldBlock): boolean {
    const last = this.#work.findLast(({ blocks }) => blocks.includes(block));
    return last?.clears?.includes(block) ?? false;
  }

  /** Makes a record free to be written again: the work that uses it is done. */
  release(record: number): void {
    if (this.#work.some((work) => work.record === record)) this.flush();
  }

  /** Puts work after what waits already; work on another grid is completed first. */
  add(grid: Grid, work: RowWork): void {
    if (this.#grid !== grid || this.#count !== grid.count) this.flush();
    this.#grid = grid;
    this.#count = grid.count;
    this.#unfinished.some = true;
    for (const block of work.blocks) block.defer(this.#complete);
    this.#work.push(work);
    this.#operators.add(this.#pool.main.operator);
  }

  /** Does all work that waits. */
  flush(): void {
    const work = this.#work;
    if (work.length === 0) return;
    this.#work = [];
    this.#grid = null;
    for (const { blocks } of work) for (const block of blocks) block.undefer(this.#complete);
    this.#pool.main.onBehalfOf(this.#operators, () => {
      this.#operators.clear();
      this.runTogether(work, this.#count);
    });
  }

  /** Does work over so many rows at once, in one pass. */
  runTogether(work: readonly Pick<RowWork, 'kernel' | 'record'>[], count: number): void {
    if (this.#shares?.rows !== count) this.#shares = { rows: count, schedule: this.#share(count) };
    const { schedule } = this.#shares;
    const [first] = work;
    if (work.length === 1) this.#pool.run(first!.kernel, first!.record, 0, count, schedule);
    else this.#pool.run(this.#sequence(work), this.#records(work), 0, count, schedule);
  }

  /**
   * Two ranges a thread: few, for long runs through memory are fastest, but so many that a late thread does not hold the others
   * up. A thread begins with the same rows in every pass, which are about those of its part of a list: its caches have them.
   */
  #share(count: number): Schedule {
    const { threads } = this.#pool;
    const ranges = Math.min(2 * threads, Math.floor(count / STEP));
    if (threads === 1 || ranges < 2) return { kind: 'dynamic', chunk: Math.min(CHUNK, count) };
    const bounds = Array.from({ length: ranges }, (_, t) => {
      return Math.round((count * t) / ranges / STEP) * STEP;
    });
    return { kind: 'static', bounds: [...bounds, count], chunk: CHUNK };
  }

  /** Threads know kernels by their keys, which are long: those of the latest sequences are not put together again. */
  #sequence(work: readonly Pick<RowWork, 'kernel'>[]): Kernel {
    const isSame = ({ kernels }: Sequence) =>
      kernels.length === work.length && kernels.every((kernel, k) => kernel === work[k]!.kernel);
    const latest = this.#latest.find(isSame);
    if (latest) return latest.whole;
    const kernels = work.map((one) => one.kernel);
    const key = ['sequence', ...kernels.map((one) => one.key)].join('\n');
    let whole = this.#sequences.get(key);
    if (!whole) {
      const label = kernels.map((one) => one.label).join(' + ');
      whole = { key, label, code: { kind: 'sequence', kernels }, args: new ArgumentLayout() };
      this.#sequences.set(key, whole);
    }
    this.#latest.unshift({ kernels, whole });
    this.#latest.length = Math.min(this.#latest.length, LATEST);
    return whole;
  }

  #records(work: readonly Pick<RowWork, 'record'>[]): number {
    if (this.#listLength < work.length) {
      this.#heap.free(this.#list);
      this.#list = this.#listLength = 0;
      this.#list = this.#heap.allocate(8 * work.length);
      this.#listLength = 2 * work.length;
    }
    const list = this.#heap.i32(this.#list, work.length);
    for (let k = 0; k < work.length; k++) list[k] = this.#heap.word(work[k]!.record);
    return this.#list;
  }
}
