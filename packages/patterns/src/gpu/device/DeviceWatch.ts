import { processWatch } from '#patterns/platform';
import { endlessError, namedWork, stuckLine, TOLD_AFTER } from '../../engine/stuckWork.js';
import type { GpuDevice } from './GpuDevice.js';

/** Milliseconds between two looks that count at most: longer ones are those of a host that was busy, or stopped. */
const LONGEST_LOOK = 1000;
/** Work may take so many times what work of its size took before. */
const SLACK = 4;
/** On a software adapter the process must have had a processor for this part of the time. */
const PART = 1 / 4;
/** Kernels that a sentence names at most. */
const NAMED = 3;

/** Submitted work that the host waits for. */
export interface AwaitedWork {
  /** When the device got to it, in milliseconds. */
  readonly begun: number;
  /** Milliseconds that it is thought to take; 0 where nothing is known. */
  readonly time: number;
  /** Number of the first submit in it. */
  readonly first: number;
}

/**
 * Looks after work on the device that has no end. The host never waits inside of WebGPU, so that its event loop can do it:
 *
 *   the oldest submit under way is not done ── 4 s ──► one sentence on stderr, with functor and operator
 *       └─ for `limit` seconds, or a signal ──► the device fails: all that waits for it gets the error, and the run ends
 *
 * Only submits count in which functors have loops of their own: others have an end, however long they take. Work on a device
 * cannot be ended: it is left behind, and ends with the process.
 */
export class DeviceWatch {
  /** Seconds after which work is taken to have no end; Infinity: it is only told of. */
  limit = Number.POSITIVE_INFINITY;
  readonly #gpu: GpuDevice;
  #work: AwaitedWork | null = null;
  /** Milliseconds for which it has been waited for, at which look, and the processor time of the process at the first. */
  #waited = 0;
  #lookedAt = 0;
  #processor = 0;
  #told: { readonly work: string; readonly operators: readonly string[] } | null = null;
  #gaveUp = false;
  #deafen: () => void = () => {};

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** Whether work without end was left on the device: it can never be waited for again. */
  get gaveUp(): boolean {
    return this.#gaveUp;
  }

  /** The oldest work under way is not done at this look. */
  missing(work: AwaitedWork): void {
    const now = performance.now();
    if (work !== this.#work) {
      this.arrived();
      this.#work = work;
      this.#lookedAt = work.begun;
      this.#processor = processWatch.processorTime();
    }
    this.#waited += Math.min(LONGEST_LOOK, now - this.#lookedAt);
    this.#lookedAt = now;
    const usual = (SLACK * work.time) / 1000;
    if (this.#told === null && this.#lasts(Math.max(TOLD_AFTER, usual))) this.#tell(work);
    if (this.#told !== null && this.#lasts(Math.max(this.limit, usual))) this.#giveUp();
  }

  /** The device gets on. */
  arrived(): void {
    this.#deafen();
    this.#work = this.#told = null;
    this.#waited = 0;
  }

  #tell({ first }: AwaitedWork): void {
    const suspects = this.#gpu.kernelsSince(first).filter(({ hasLoops }) => hasLoops);
    if (suspects.length === 0) return; // what has no loops has an end
    const operators = suspects.flatMap(({ usedBy }) => usedBy.split(' + '));
    const names = suspects.map(({ label, usedBy }) =>
      namedWork(label, usedBy.replaceAll(' + ', ', ')),
    );
    const work = [...new Set(names)].slice(0, NAMED).join(' or ');
    this.#told = { work, operators };
    this.#deafen = processWatch.onSignals(this.#giveUp);
    const end =
      this.limit === Number.POSITIVE_INFINITY
        ? 'Ctrl-C or SIGTERM ends the run'
        : `the run ends after ${this.limit} s, Ctrl-C or SIGTERM ends it before`;
    processWatch.tell(stuckLine(work, end));
  }

  readonly #giveUp = (): void => {
    const [told, seconds] = [this.#told, this.#waited / 1000];
    if (told === null) return;
    const { work, operators } = told;
    this.arrived();
    this.#gaveUp = true;
    processWatch.leaveDevices();
    this.#gpu.fail(endlessError(work, operators, seconds));
  };

  /** Whether the work has been under way for so many seconds. */
  #lasts(seconds: number): boolean {
    if (this.#waited < 1000 * seconds) return false;
    return (
      !this.#gpu.info.software || processWatch.processorTime() - this.#processor >= PART * seconds
    );
  }
}
