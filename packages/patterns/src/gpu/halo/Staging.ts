import type { GpuDevice } from '../device/GpuDevice.js';

// Numbers of GPUBufferUsage and GPUMapMode, which are globals only after Dawn has been loaded.
const [MAP_READ, MAP_WRITE, COPY_SRC, COPY_DST] = [1, 2, 4, 8];

/** Milliseconds that the host looks without a pause: ranks wait for each other in every step. A device in software needs the core itself. */
const CLOSELY = 200;
/**
 * While a mapping is pending Dawn asks the driver in every turn of the event loop, and leaves objects each time. So buffers are mapped for writing again when rows have come
 * that were asked for after them: the device has read them then. A host that asks for none maps them when there are more than so many.
 */
const MOST_SUBMITTED = 8;

/** The beginning of a buffer. */
export interface StagedPart {
  readonly from: GPUBuffer;
  readonly bytes: number;
}

/** Memory of the host that a device reads or writes: MPI sends from it and receives into it, and nothing is copied in between. */
export class Staging {
  readonly #gpu: GpuDevice;
  readonly #readable: GPUBuffer[] = [];
  /** Those that are mapped for writing. */
  readonly #writable: GPUBuffer[] = [];
  /** Those that the device reads after the next submit. */
  readonly #used: GPUBuffer[] = [];
  /** Those that it reads before the next rows that the host asks for. */
  readonly #submitted: GPUBuffer[] = [];
  #isFreed = false;

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
  }

  /** Copies buffers to the host, one after the other, after everything recorded so far, which is submitted. */
  read(parts: readonly StagedPart[]): {
    readonly bytes: Promise<Uint8Array<ArrayBuffer>>;
    release(): void;
  } {
    const { stream, counters } = this.#gpu;
    const bytes = parts.reduce((sum, part) => sum + part.bytes, 0);
    const buffer = this.#take(this.#readable, bytes) ?? this.#create(bytes, MAP_READ | COPY_DST);
    let at = 0;
    for (const part of parts) {
      stream.copy(part.from, buffer, part.bytes, 0, at);
      at += part.bytes;
    }
    stream.flushWatched();
    this.submit();
    stream.arrivals.watchClosely(this.#gpu.info.software ? undefined : CLOSELY);
    counters.downloads++;
    counters.downloadedBytes += bytes;
    const submitted = this.#submitted.splice(0);
    const arrived = stream.arrivals.mapped(buffer, bytes).then(() => {
      this.#gpu.check();
      this.#mapAgain(submitted);
      return new Uint8Array(buffer.getMappedRange(0, bytes));
    });
    const release = (): void => {
      buffer.unmap();
      if (this.#isFreed) buffer.destroy();
      else this.#readable.push(buffer);
    };
    return { bytes: arrived, release };
  }

  /** Memory to write to. `upload` copies it to a buffer of the device, in the order of commands. */
  write(bytes: number): {
    readonly bytes: Uint8Array<ArrayBuffer>;
    upload(to: GPUBuffer): void;
  } {
    const buffer =
      this.#take(this.#writable, bytes) ?? this.#create(bytes, MAP_WRITE | COPY_SRC, true);
    const upload = (to: GPUBuffer): void => {
      buffer.unmap();
      this.#gpu.stream.copy(buffer, to, bytes);
      this.#gpu.counters.uploads++;
      this.#gpu.counters.uploadedBytes += bytes;
      this.#used.push(buffer);
    };
    return { bytes: new Uint8Array(buffer.getMappedRange(0, bytes)), upload };
  }

  /** Copies bytes of the host to the beginning of a buffer, in the order of commands: nothing is submitted for it, as `upload` of a stream does. */
  upload(to: GPUBuffer, bytes: Uint8Array): void {
    const staged = this.write(bytes.length);
    staged.bytes.set(bytes);
    staged.upload(to);
  }

  /** Submits what is recorded. */
  submit(): void {
    this.#gpu.stream.flush();
    this.#submitted.push(...this.#used.splice(0));
    if (this.#submitted.length > MOST_SUBMITTED) this.#mapAgain(this.#submitted.splice(0));
  }

  /** Buffers that the device has read, or will soon have read, can be written again. */
  #mapAgain(buffers: readonly GPUBuffer[]): void {
    for (const buffer of buffers)
      buffer.mapAsync(MAP_WRITE).then(
        () => {
          if (this.#isFreed) buffer.destroy();
          else this.#writable.push(buffer);
        },
        () => {}, // the device is lost, or closed
      );
  }

  free(): void {
    this.#isFreed = true;
    const all = [this.#readable, this.#writable, this.#used, this.#submitted];
    for (const buffer of all.flatMap((some) => some.splice(0))) buffer.destroy();
  }

  #take(spare: GPUBuffer[], bytes: number): GPUBuffer | undefined {
    const found = spare.findIndex(({ size }) => size >= bytes && size <= 2 * roomFor(bytes));
    return found < 0 ? undefined : spare.splice(found, 1)[0];
  }

  #create(bytes: number, usage: number, mappedAtCreation = false): GPUBuffer {
    const size = roomFor(bytes);
    return this.#gpu.device.createBuffer({ label: 'halo staging', size, usage, mappedAtCreation });
  }
}

/** Halos of one run differ a little in size. */
const roomFor = (bytes: number): number => 256 * Math.ceil((1.25 * bytes + 256) / 256);
