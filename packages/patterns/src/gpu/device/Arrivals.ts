import type { GpuDevice } from './GpuDevice.js';

const MAP_READ = 0x01;
/** Milliseconds that the host watches closely when somebody waits for a result: a round trip takes half of one. */
const CLOSELY = 1;
/** Otherwise it looks first after half the usual time, then after this part of the time; limits in milliseconds. */
const PART = 1 / 8;
const SHORTEST = 1;
const LONGEST = 20;
/** Weight of the latest arrival in what is usual. */
const LATEST = 0.25;

interface Awaited {
  readonly buffer: GPUBuffer;
  readonly bytes: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Waits for buffers to become readable at next to no cost to the host. While a mapping is pending Dawn asks the driver in
 * every turn of the event loop, which keeps a core busy; so a mapping is asked for, looked at once, and taken back if
 * it has not come:
 *
 *   mapAsync → one turn → there?  yes: done      no: unmap → sleep → mapAsync …
 *
 * Buffers arrive in the order in which they were submitted, so that only the first of them is looked at.
 */
export class Arrivals {
  readonly #gpu: GpuDevice;
  readonly #awaited: Awaited[] = [];
  #closelyUntil = 0;
  /** Milliseconds between two arrivals, lately. */
  #usual = SHORTEST;
  #wake: (() => void) | null = null;
  #serving = false;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** Somebody waits: watch closely for a moment. */
  hurry(): void {
    this.#closelyUntil = performance.now() + CLOSELY;
    this.#wake?.();
  }

  /** Resolves when a buffer is mapped for reading; call it in the order of submission. */
  mapped(buffer: GPUBuffer, bytes: number): Promise<void> {
    const arrival = new Promise<void>((resolve, reject) => {
      this.#awaited.push({ buffer, bytes, resolve, reject });
    });
    if (!this.#serving) void this.#serve();
    return arrival;
  }

  async #serve(): Promise<void> {
    this.#serving = true;
    let since = performance.now();
    for (let first = this.#awaited[0]; first; first = this.#awaited[0]) {
      try {
        while (!(await this.#isMapped(first))) await this.#pause(performance.now() - since);
        first.resolve();
      } catch (error) {
        first.reject(error);
      }
      this.#awaited.shift();
      const now = performance.now();
      this.#usual += LATEST * (now - since - this.#usual);
      since = now;
    }
    this.#serving = false;
  }

  /** @throws what the device says when it is lost, or the buffer destroyed. */
  async #isMapped({ buffer, bytes }: Awaited): Promise<boolean> {
    // A lost device answers late, or not at all.
    if (this.#gpu.failure) throw this.#gpu.failure;
    let state: 'pending' | 'mapped' | 'failed' = 'pending';
    let failure: unknown;
    this.#gpu.counters.polls++;
    buffer.mapAsync(MAP_READ, 0, bytes).then(
      () => {
        state = 'mapped';
      },
      (error: unknown) => {
        if (state === 'pending') state = 'failed';
        failure = error;
      },
    );
    const pending = () => state === 'pending';
    do await turn();
    while (pending() && performance.now() < this.#closelyUntil);
    if (pending()) {
      state = 'mapped'; // whatever the mapping says now comes from taking it back
      buffer.unmap();
      return false;
    }
    if (failure !== undefined) throw failure;
    return true;
  }

  #pause(waited: number): Promise<void> {
    const until = this.#usual / 2;
    const wanted = waited < until ? until - waited : PART * Math.max(waited, this.#usual);
    const milliseconds = Math.min(LONGEST, Math.max(SHORTEST, wanted));
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** One turn of the event loop, behind what Dawn has put into it. */
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
