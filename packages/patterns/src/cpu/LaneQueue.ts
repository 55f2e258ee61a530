import type { Lane } from '../handles/Lanes.js';
import type { BackgroundJob } from './BackgroundJob.js';

/** Jobs that wait, by lane: first in, first out inside a lane, and lanes take turns. */
export class LaneQueue {
  readonly #lanes = new Map<Lane | null, BackgroundJob[]>();

  /** Whether jobs of another lane wait. */
  hasOthers(lane: Lane | null): boolean {
    return this.#lanes.size > (this.#lanes.has(lane) ? 1 : 0);
  }

  push(job: BackgroundJob): void {
    const waiting = this.#lanes.get(job.lane);
    if (waiting) waiting.push(job);
    else this.#lanes.set(job.lane, [job]);
  }

  /** Puts a job that is not done back in front of its lane; the other lanes come first. */
  resume(job: BackgroundJob): void {
    const waiting = this.#lanes.get(job.lane) ?? [];
    this.#lanes.delete(job.lane);
    this.#lanes.set(job.lane, [job, ...waiting]);
  }

  /** The first job of the lane whose turn it is. */
  shift(): BackgroundJob | null {
    for (const [lane, waiting] of this.#lanes) {
      const job = waiting.shift()!;
      this.#lanes.delete(lane);
      if (waiting.length > 0) this.#lanes.set(lane, waiting);
      return job;
    }
    return null;
  }

  /** Empties the queue. */
  drain(): BackgroundJob[] {
    const all = [...this.#lanes.values()].flat();
    this.#lanes.clear();
    return all;
  }
}
