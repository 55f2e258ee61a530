import { CorpuscleError } from '@corpuscle/core';
import { host } from '@corpuscle/core/platform';
import type { Arrivals } from './Arrivals.js';
import type { GpuDevice } from './GpuDevice.js';
import { PAGE, type Read, type Receiver, ResultPage } from './ResultPage.js';

const COPY_DST = 0x08;
const MAP_READ = 0x01;
/** Reads that share a staging buffer are this small; records of a long window are, so that results come in the same buffer. */
const SMALL = PAGE / 4;
/** Submits after which one is watched although nothing is read. */
const WATCHED = 4;
/** Bytes that are copied in a turn of the event loop: the device must not run out of work meanwhile. */
const TURN = 1 << 21;
/** Staging buffers kept for later. */
const KEPT = 8;

/** A read-back under way. */
export interface Readback {
  readonly data: Promise<ArrayBuffer>;
  /** Submits what the data waits for. */
  submit(): void;
  /** Submits, and watches the device closely: the data is awaited now. */
  flush(): void;
}

interface Page {
  readonly staging: GPUBuffer;
  readonly reads: Read[];
  used: number;
}

/**
 * Copies from the device. All small results between two submits are copied to one staging buffer and arrive together:
 *
 *   page  [ result | result | result … ]     a read of its own: one page
 *
 * Nothing here waits; `underWay` says how many pages have not arrived, which is how far the device is behind.
 */
export class Readbacks {
  readonly #gpu: GpuDevice;
  readonly #arrivals: Arrivals;
  readonly #results: ResultPage;
  #pages: Page[] = [];
  #spare: GPUBuffer[] = [];
  #unwatched = 0;
  #oldest: Promise<void>[] = [];

  constructor(gpu: GpuDevice, arrivals: Arrivals) {
    this.#gpu = gpu;
    this.#arrivals = arrivals;
    this.#results = new ResultPage(gpu);
  }

  /** Pages submitted that have not arrived. */
  get underWay(): number {
    return this.#oldest.length;
  }

  /** Resolves when the oldest page has arrived. */
  async oneArrived(): Promise<void> {
    await this.#oldest[0];
  }

  /** Records the copy of part of a buffer. @param memory that a large copy may use, if it has the size */
  add(
    encoder: GPUCommandEncoder,
    buffer: GPUBuffer,
    bytes: number,
    offset: number,
    memory?: ArrayBuffer,
  ): Promise<ArrayBuffer> {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const page = this.#pageFor(size);
    const at = page.used;
    page.used += size;
    encoder.copyBufferToBuffer(buffer, offset, page.staging, at, Math.ceil(bytes / 4) * 4);
    this.#account(bytes);
    const { during: operation } = this.#gpu;
    return new Promise((resolve, reject) => {
      page.reads.push({ at, bytes, memory, operation, receiver: { resolve, reject } });
    });
  }

  /** Whether a result has room before the next submit. */
  hasRoom(bytes: number): boolean {
    return this.#results.hasRoom(bytes);
  }

  /** Where results lie. */
  get resultBuffer(): GPUBuffer {
    return this.#results.buffer;
  }

  /** Room for a result that the next kernel writes. @returns where it begins. */
  result(bytes: number, receiver: Receiver): number {
    this.#account(bytes);
    return this.#results.add(bytes, receiver);
  }

  #account(bytes: number): void {
    const { accounts, operator } = this.#gpu;
    if (!accounts) return;
    const account = accounts.of(operator);
    account.reads++;
    account.downloadedBytes += bytes;
  }

  /** Records what tells that everything up to here is done. */
  mark(encoder: GPUCommandEncoder): Promise<void> {
    const page = this.#pageFor(16);
    const at = page.used;
    page.used += 16;
    encoder.clearBuffer(page.staging, at, 16);
    const { during: operation } = this.#gpu;
    return new Promise((resolve, reject) => {
      const receiver = { resolve: () => resolve(), reject };
      page.reads.push({ at, bytes: 0, operation, receiver });
    });
  }

  /** Somebody else watches the next submit. */
  watchedElsewhere(): void {
    this.#unwatched = -1;
  }

  /**
   * Before a submit: results are copied. Now and then one is watched, and each that is long, so that the host does not run far
   * ahead of the device, and sees that it gets on.
   */
  beforeSubmit(encoder: GPUCommandEncoder, { isLong }: { readonly isLong: boolean }): void {
    if (!this.#results.isEmpty) this.#copyResults(encoder);
    if (this.#pages.length > 0) this.#unwatched = 0;
    else if (++this.#unwatched >= WATCHED || isLong) {
      this.#unwatched = 0;
      this.mark(encoder).catch(() => {}); // the next use of the device gets its error
    }
  }

  #copyResults(encoder: GPUCommandEncoder): void {
    const { buffer, used } = this.#results;
    const page = this.#pageFor(used);
    encoder.copyBufferToBuffer(buffer, 0, page.staging, page.used, used);
    for (const { at, bytes, operation, receiver } of this.#results.take())
      page.reads.push({ at: page.used + at, bytes, operation, receiver });
    page.used += used;
  }

  /** The pages have been submitted. */
  submitted(): void {
    for (const page of this.#pages) {
      const arrival: Promise<void> = this.#fetch(page).then(() => {
        this.#oldest.splice(this.#oldest.indexOf(arrival), 1);
      });
      this.#oldest.push(arrival);
    }
    this.#pages = [];
  }

  /** What was recorded will not be submitted. */
  discard(error: unknown): void {
    for (const { staging, reads } of this.#pages) {
      staging.destroy();
      for (const { receiver } of reads) receiver.reject(error);
    }
    this.#pages = [];
    for (const { receiver } of this.#results.take()) receiver.reject(error);
  }

  free(): void {
    this.#results.free();
    for (const staging of this.#spare) staging.destroy();
    this.#spare = [];
  }

  /** Never rejects: errors go to those who read. */
  async #fetch({ staging, reads, used }: Page): Promise<void> {
    let data: ArrayBuffer[];
    try {
      await this.#arrivals.mapped(staging, used);
      const page = staging.getMappedRange(0, used);
      data = used > TURN ? await inTurns(page, reads) : reads.map((read) => sliceOf(page, read));
    } catch (cause) {
      await new Promise((resolve) => setTimeout(resolve, 0)); // the device's own error arrives with this one
      for (const { operation, receiver } of reads)
        receiver.reject(this.#failure(operation, cause as Error));
      return;
    }
    const { counters } = this.#gpu;
    staging.unmap();
    this.#spare.push(staging);
    reads.forEach(({ bytes, receiver }, k) => {
      if (bytes > 0) counters.downloads++;
      counters.downloadedBytes += bytes;
      if (this.#gpu.failure) receiver.reject(this.#gpu.failure);
      else receiver.resolve(data[k]!);
    });
  }

  #failure(operation: string, cause: Error): CorpuscleError {
    if (this.#gpu.failure) return this.#gpu.failure;
    const code = this.#gpu.closed ? 'CLOSED' : 'DEVICE_LOST';
    const why = cause.message || cause.name;
    const message = `results of ${operation} could not be read back: ${why}`;
    return new CorpuscleError(code, message, { cause });
  }

  #pageFor(size: number): Page {
    const last = this.#pages.at(-1);
    if (last && last.used + size <= last.staging.size && size <= SMALL) return last;
    const page: Page = { staging: this.#staging(size <= SMALL ? PAGE : size), reads: [], used: 0 };
    // A large read must not end the page of the small ones.
    if (size <= SMALL) this.#pages.push(page);
    else this.#pages.unshift(page);
    return page;
  }

  #staging(size: number): GPUBuffer {
    const fits = (buffer: GPUBuffer) => buffer.size >= size && buffer.size <= 4 * size;
    const found = this.#spare.findIndex(fits);
    if (found >= 0) return this.#spare.splice(found, 1)[0]!;
    while (this.#spare.length > KEPT) this.#spare.shift()!.destroy();
    return this.#gpu.device.createBuffer({ label: 'read-back', size, usage: MAP_READ | COPY_DST });
  }
}

const EMPTY = new ArrayBuffer(0);

const sliceOf = (page: ArrayBuffer, { at, bytes }: Read): ArrayBuffer =>
  bytes === 0 ? EMPTY : page.slice(at, at + bytes);

/** The same of a large page; the host does other things in between. */
async function inTurns(page: ArrayBuffer, reads: readonly Read[]): Promise<ArrayBuffer[]> {
  const data: ArrayBuffer[] = [];
  for (const { at, bytes, memory } of reads) {
    const copy = new Uint8Array(memory?.byteLength === bytes ? memory : new ArrayBuffer(bytes));
    for (let from = 0; from < bytes; from += TURN) {
      copy.set(new Uint8Array(page, at + from, Math.min(TURN, bytes - from)), from);
      await new Promise<void>(host.later);
    }
    data.push(copy.buffer);
  }
  return data;
}
