import type { ExecutionContext } from '@corpuscle/patterns';
import { bytes } from './formatProfile.js';

/** What is counted between the first and the last step. */
interface Moment {
  readonly at: number;
  readonly processor: NodeJS.CpuUsage;
  readonly uploadedBytes: number;
  readonly downloadedBytes: number;
  readonly downloads: number;
  readonly submits: number;
}

/**
 * Counts what crosses between host and device while steps are made: set-up and the last output are left out, so that the
 * figures tell what a step costs.
 */
export class LoopWatch {
  readonly #ctx: ExecutionContext;
  #begin: Moment | null = null;
  #end: Moment | null = null;
  #steps = 0;

  constructor(ctx: ExecutionContext) {
    this.#ctx = ctx;
  }

  /** An operator has run so many times. */
  ran(name: string, times: number): void {
    if (name === 'next_time_step') this.#begin ??= this.#now();
    if (name !== 'end_time_step' || !this.#begin) return; // a run may go on in the middle of a step
    this.#steps += times;
    this.#end = this.#now();
  }

  /** One sentence; empty where no steps were made, or not on a device. */
  format(): string {
    const [begin, end] = [this.#begin, this.#end];
    if (!begin || !end) return '';
    const wall = end.at - begin.at;
    const busy = end.processor.user + end.processor.system;
    const core = (busy - begin.processor.user - begin.processor.system) / (10 * wall);
    const up = end.uploadedBytes - begin.uploadedBytes;
    const down = end.downloadedBytes - begin.downloadedBytes;
    const reads = end.downloads - begin.downloads;
    return `in the loop of ${this.#steps} steps: ${bytes(up)} to the device, ${bytes(down)} back in ${reads} reads, ${end.submits - begin.submits} submits; the process used ${core.toFixed(1)} % of a core\n`;
  }

  #now(): Moment {
    const { counters } = this.#ctx.device!;
    const { uploadedBytes, downloadedBytes, downloads, submits } = counters;
    const at = performance.now();
    const processor = process.cpuUsage();
    return { at, processor, uploadedBytes, downloadedBytes, downloads, submits };
  }
}
