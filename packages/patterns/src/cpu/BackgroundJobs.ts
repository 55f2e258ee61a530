import type { FieldBlock } from '@corpuscle/core';
import type { JobHandle } from './BackgroundJob.js';
import type { ThreadPool } from './ThreadPool.js';
import type { Unfinished } from './Unfinished.js';

/** Background jobs and the blocks they work on, so that others wait for them only when they must. */
export class BackgroundJobs {
  readonly #pool: ThreadPool;
  readonly #unfinished: Unfinished;
  readonly #busy = new Map<JobHandle, readonly FieldBlock[]>();

  constructor(pool: ThreadPool, unfinished: Unfinished) {
    this.#pool = pool;
    this.#unfinished = unfinished;
  }

  get isEmpty(): boolean {
    return this.#busy.size === 0;
  }

  /** Notes a job; `release` is called when it is over, however it ended. */
  async track(job: JobHandle, blocks: readonly FieldBlock[], release: () => void): Promise<void> {
    this.#unfinished.some = true;
    this.#busy.set(job, blocks);
    try {
      await job.finished;
    } finally {
      this.#busy.delete(job);
      release();
    }
  }

  /** Completes the jobs that work on any of these blocks, or all jobs. */
  finish(blocks?: readonly FieldBlock[]): void {
    if (this.isEmpty) return;
    const concerned = [...this.#busy.values()].some(
      (busy) => !blocks || busy.some((block) => blocks.includes(block)),
    );
    if (concerned) this.#pool.finish();
  }
}
