import { host } from '@corpuscle/core/platform';
import { doze, tellsMapping } from '#patterns/platform';
import type { GpuDevice } from './GpuDevice.js';

const MAP_READ = 0x01;
/** Milliseconds that the host watches closely when a result is awaited: a round trip takes half of one. */
const CLOSELY = 1;
/** After a look that came too early the next one comes this part of the time later; limits in milliseconds. */
const PART = 1 / 8;
const SHORTEST = 1;
const LONGEST = 20;
/**
 * One sleep at most: whatever work is thought to take, the host looks four times a second. A window of steps takes less most
 * often, and every look costs.
 */
const LONGEST_SLEEP = 250;
/**
 * Each turn in which a mapping is pending leaves objects of Dawn that outlive a young collection, 200 bytes of them. A host that has looked closely for longer
 * than this, in milliseconds, looks again after this part of the time that it has looked.
 */
const PATIENT = 0.3;
const PATIENT_PART = 1 / 16;
/** The first look comes by this part later than work is thought to take. */
const MARGIN = 1 / 8;
/** Weight of the latest measurement in what work is thought to take, which at most doubles: a stall is soon forgotten. */
const LATEST = 0.5;
const MOST_GROWTH = 2;
/** How exactly work must have been timed to be a measurement. */
const EXACT = 1 / 4;
/** Milliseconds of a dispatch at most when it is measured first, which may be while kernels are compiled. */
const FIRST = 0.1;
/**
 * An arrival found at the first look may have been there for long. What was measured is trusted for a while; the next ones
 * are then expected sooner by this part, by twice the part, and so on, until one is missing and can be measured again.
 */
const SOONER = { after: 4, first: 1 / 32, most: 1 / 2 } as const;

interface Awaited {
  readonly buffer: GPUBuffer;
  readonly bytes: number;
  /** Dispatches that the device has to do for it, and when it got them. */
  readonly work: number;
  readonly submitted: number;
  /** Number of the first submit in it. */
  readonly first: number;
  resolve(): void;
  reject(error: unknown): void;
}

/**
 * Waits for buffers to become readable at next to no cost to the host. While a mapping is pending Dawn asks the driver in
 * every turn of the event loop, which keeps a core busy; so a mapping is asked for, looked at once, and taken back if
 * it has not come:
 *
 *   sleep until it is due → mapAsync → one turn → there?  yes: done      no: unmap → sleep a little → mapAsync …
 *
 * Each look costs some 100 µs with the sleep before it. When a buffer is due follows from the work before it and from how
 * long work took lately; while nothing is awaited, a late look costs nothing, as more work is queued.
 * In a page the browser tells, and a mapping that is taken back would never come: it crosses to another process.
 * Buffers arrive in the order in which they were submitted, so that only the first of them is looked at.
 */
export class Arrivals {
  readonly #gpu: GpuDevice;
  readonly #awaited: Awaited[] = [];
  /** Dispatches submitted since a buffer was last asked for. */
  #work = 0;
  /** Submits when a buffer was last asked for. */
  #submits = 0;
  #closelyUntil = 0;
  /** Milliseconds that a dispatch is thought to take, and whether that has been measured. */
  #timePerDispatch = 0;
  #isMeasured = false;
  /** Arrivals in a row that were found at the first look. */
  #found = 0;
  /** When the device was done with the last buffer that arrived, as far as is known. */
  #doneAt = 0;
  /** When that was last known for sure, a moment when it was not done yet, and dispatches since then. */
  #sureAt = 0;
  #notYetAt = 0;
  #workSince = 0;
  #wake: (() => void) | null = null;
  #serving = false;
  /**
   * Mappings taken back since a buffer last arrived. Dawn (webgpu 0.6.2) tells of each once more in a later turn of the event loop, and
   * crashes if the promise has been collected by then.
   */
  readonly #takenBack: Promise<undefined>[] = [];

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /**
   * A buffer is awaited now: looks often for a moment.
   * @param milliseconds for how long: a process that exchanges with others in each step gives a core to it
   */
  watchClosely(milliseconds = CLOSELY): void {
    this.#closelyUntil = Math.max(this.#closelyUntil, performance.now() + milliseconds);
    this.#wake?.();
  }

  /** Milliseconds that so many dispatches are thought to take, with those submitted since a buffer was last asked for. */
  timeOf(dispatches: number): number {
    return (this.#work + dispatches) * this.#timePerDispatch;
  }

  /** Dispatches that are thought to take so many milliseconds. */
  dispatchesIn(milliseconds: number): number {
    return milliseconds / this.#timePerDispatch;
  }

  /** So many dispatches have been submitted. */
  submitted(dispatches: number): void {
    this.#work += dispatches;
  }

  /** Resolves when a buffer is mapped for reading; call it in the order of submission. */
  mapped(buffer: GPUBuffer, bytes: number): Promise<void> {
    const submitted = performance.now();
    const [work, first] = [this.#work, this.#submits];
    this.#work = 0;
    this.#submits = this.#gpu.counters.submits;
    const arrival = new Promise<void>((resolve, reject) => {
      this.#awaited.push({ buffer, bytes, work, submitted, first, resolve, reject });
    });
    if (!this.#serving) void this.#serve();
    return arrival;
  }

  async #serve(): Promise<void> {
    this.#serving = true;
    for (let first = this.#awaited[0]; first; first = this.#awaited[0]) {
      try {
        await this.#arrived(first);
        first.resolve();
      } catch (error) {
        first.reject(error);
      }
      this.#awaited.shift();
    }
    this.#serving = false;
  }

  /** The same where the browser tells when a buffer is mapped, and keeps no core busy with it. */
  async #told({ buffer, bytes, work, submitted, first }: Awaited): Promise<void> {
    const begun = Math.max(submitted, this.#doneAt);
    const watched = { begun, time: this.#timePerDispatch * work, first };
    let isMapped = false;
    this.#gpu.counters.polls++;
    const mapping = buffer.mapAsync(MAP_READ, 0, bytes).then(() => {
      isMapped = true;
    });
    while (!isMapped) {
      await Promise.race([mapping, this.#pause(LONGEST_SLEEP)]);
      if (this.#gpu.failure) throw this.#gpu.failure;
      if (!isMapped) this.#gpu.watch.missing(watched);
    }
    this.#gpu.watch.arrived();
    this.#doneAt = performance.now();
    if (work === 0) return;
    const measured = (this.#doneAt - begun) / work;
    const known = this.#timePerDispatch || Math.min(FIRST, measured);
    this.#timePerDispatch = Math.min(MOST_GROWTH * known, known + LATEST * (measured - known));
  }

  /** Waits for the first buffer, and learns how long its work took. */
  async #arrived(awaited: Awaited): Promise<void> {
    if (tellsMapping) return this.#told(awaited);
    const { work, submitted, first } = awaited;
    if (submitted > this.#doneAt) {
      // The device had nothing to do.
      this.#doneAt = this.#sureAt = this.#notYetAt = submitted;
      this.#workSince = 0;
    }
    const begun = this.#doneAt;
    const time = this.#timePerDispatch * work;
    const due = begun + (1 + MARGIN) * time;
    let now = performance.now();
    if (due - now >= SHORTEST && now >= this.#closelyUntil)
      await this.#pause(Math.min(LONGEST_SLEEP, due - now));
    let missing = 0;
    const watched = { begun, time, first };
    while (!(await this.#isMapped(awaited))) {
      missing = performance.now();
      this.#gpu.watch.missing(watched);
      const next = Math.min(LONGEST, PART * (missing - begun));
      await this.#pause(Math.max(SHORTEST, next, Math.min(LONGEST_SLEEP, due - missing)));
    }
    this.#gpu.watch.arrived();
    now = performance.now();
    // The last sleep may have been long, the host busy with something else, or the work too short to be measured.
    const gap = now - missing;
    const isShort = gap < 2 * Math.max(SHORTEST, PART * (missing - begun));
    const isSure = missing > 0 && isShort && gap <= EXACT * (now - this.#sureAt);
    this.#doneAt = isSure ? (missing + now) / 2 : Math.min(now, begun + time);
    this.#workSince += work;
    if (this.#workSince > 0) {
      const most = (now - this.#notYetAt) / this.#workSince;
      if (isSure) this.#measure();
      else if (missing === 0) this.#expectSooner();
      if (!isSure) this.#timePerDispatch = Math.min(most, this.#timePerDispatch);
    }
    if (isSure) this.#notYetAt = missing;
  }

  /** It is known when the buffer arrived, and not only that it had. */
  #measure(): void {
    const measured = (this.#doneAt - this.#sureAt) / this.#workSince;
    const known = this.#isMeasured ? this.#timePerDispatch : Math.min(FIRST, measured);
    this.#timePerDispatch = Math.min(MOST_GROWTH * known, known + LATEST * (measured - known));
    this.#isMeasured = true;
    this.#sureAt = this.#doneAt;
    this.#workSince = this.#found = 0;
  }

  /** The first look has found the buffer: it may have been there for long. */
  #expectSooner(): void {
    const tries = ++this.#found - SOONER.after;
    if (tries > 0)
      this.#timePerDispatch *= 1 - Math.min(SOONER.most, SOONER.first * 2 ** (tries - 1));
  }

  /** @throws what the device says when it is lost, or the buffer destroyed. */
  async #isMapped({ buffer, bytes }: Awaited): Promise<boolean> {
    // A lost device answers late, or not at all.
    if (this.#gpu.failure) throw this.#gpu.failure;
    let state: 'pending' | 'mapped' | 'failed' = 'pending';
    let failure: unknown;
    this.#gpu.counters.polls++;
    const mapping = buffer.mapAsync(MAP_READ, 0, bytes);
    mapping.then(
      () => {
        state = 'mapped';
      },
      (error: unknown) => {
        if (state === 'pending') state = 'failed';
        failure = error;
      },
    );
    const pending = () => state === 'pending';
    const begin = performance.now();
    for (;;) {
      await turn();
      const now = performance.now();
      if (!pending() || now >= this.#closelyUntil) break;
      if (now - begin > PATIENT) doze(PATIENT_PART * (now - begin));
    }
    if (pending()) {
      state = 'mapped'; // whatever the mapping says now comes from taking it back
      this.#takenBack.push(mapping);
      buffer.unmap();
      return false;
    }
    this.#takenBack.length = 0; // Dawn has told of them before
    if (failure !== undefined) throw failure;
    return true;
  }

  #pause(milliseconds: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(SHORTEST, milliseconds));
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** One turn of the event loop, after what Dawn has put into it. */
const turn = (): Promise<void> => new Promise(host.later);
