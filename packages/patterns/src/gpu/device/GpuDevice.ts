import { CorpuscleError } from '@corpuscle/core';
import { noteSeen } from '../../handles/handles.js';
import { type DeviceReals, realsOf } from '../double/DeviceReals.js';
import { withDoubles } from '../double/withDoubles.js';
import { withValues } from '../kernels/withValues.js';
import { ResidentSteps } from '../resident/ResidentSteps.js';
import { ValueStore } from '../values/ValueStore.js';
import type { Accounts } from './Accounts.js';
import { CommandStream } from './CommandStream.js';
import { compileText, textsOf } from './compileText.js';
import { DeviceWatch } from './DeviceWatch.js';
import { firstLine, onDeviceError } from './deviceErrors.js';
import { type DeviceLimits, limitsOf } from './deviceLimits.js';
import type { GpuInfo } from './findAdapter.js';
import { newCounters } from './GpuCounters.js';
import { type CompiledText, GpuKernel, type KernelSource } from './GpuKernel.js';
import { kernelText } from './kernelText.js';

// Numbers of GPUBufferUsage, which is a global only after Dawn has been loaded.
const STORAGE = 0x80;
const COPY_DST = 0x08;
const COPY_SRC = 0x04;

/** Bindings begin at multiples of so many bytes on any device. */
const ALIGNMENT = 256;
/** Bindings that a buffer may take; see `segmentedKernel`. */
const SEGMENTS = 2;
/** Less than that is not looked for. */
const LEAST_ROOM = 2 ** 26;

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`;

/**
 * One WebGPU device: buffers, kernels, the stream of commands, and the first error that happened. Errors of a device
 * arrive later than the call that caused them; they are kept and thrown from then on by every use.
 */
export class GpuDevice {
  readonly device: GPUDevice;
  /** Limits of the device that calls look at; asking the device itself takes microseconds. */
  readonly limits: DeviceLimits;
  readonly info: GpuInfo;
  readonly counters = newCounters();
  /** Numbers that stay on the device. */
  readonly values: ValueStore;
  readonly stream: CommandStream;
  /** Steps in a row that become one dispatch. */
  readonly resident: ResidentSteps;
  /** Looks after work that has no end. */
  readonly watch = new DeviceWatch(this);
  /** Bytes of a field that are converted and copied at a time, up or down. */
  pieceBytes = 2 ** 25;
  /** Bytes of a buffer that one binding holds: kernels see larger ones in segments. */
  segmentBytes: number;
  /** Whether fma gives the exact error of a product; `probeDoubles` finds out. */
  fusedProducts = false;
  /** What `real` is; set before anything is stored. */
  reals: DeviceReals = realsOf.f32;
  /** What is being recorded, for errors. */
  operation = 'start-up';
  /** The operator of a simulation that it is done for; empty where there is none. */
  operator = '';
  /** What each operator made the device do; null while profiling is off. */
  accounts: Accounts | null = null;
  #refused: GPUError | null = null;
  readonly #onFailure: ((error: CorpuscleError) => void)[] = [];
  /** What is being made of which errors come before it is given: they end the call, and not the device. */
  #making: 'buffer' | 'kernel' | null = null;
  readonly #owned: boolean;
  readonly #endErrors: () => void;
  readonly #kernels = new Map<string, GpuKernel>();
  #failure: CorpuscleError | null = null;
  #closed = false;

  constructor(device: GPUDevice, info: GpuInfo, owned: boolean) {
    this.device = device;
    this.limits = limitsOf(device);
    const { maxBufferSize, maxStorageBufferBindingSize } = this.limits;
    const mostBound = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    this.segmentBytes = ALIGNMENT * Math.floor(mostBound / ALIGNMENT);
    this.info = info;
    this.#owned = owned;
    this.#endErrors = onDeviceError(device, (error) => this.#report(error));
    void device.lost.then((lost) => {
      if (this.#closed) return;
      this.fail(
        new CorpuscleError(
          'DEVICE_LOST',
          `the GPU device was lost during ${this.during} (${lost.reason}: ${firstLine(lost.message)}): start again from the last saved state, or use backend cpu`,
        ),
      );
    });
    this.values = new ValueStore(this);
    this.resident = new ResidentSteps(this);
    this.stream = new CommandStream(this);
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** What follows is done for this call. */
  enter({ operator, name }: { readonly operator: string; readonly name: string }): void {
    this.operator = operator;
    this.operation = name;
  }

  /** What is being done and for whom, as part of a sentence. */
  get during(): string {
    return this.operator ? `'${this.operation}' of ${this.operator}` : `'${this.operation}'`;
  }

  /** The first error of the device, if any. */
  get failure(): CorpuscleError | null {
    return this.#failure;
  }

  /** @throws the first error of the device; CorpuscleError CLOSED after `close`. */
  check(): void {
    if (this.#failure) {
      noteSeen(this.#failure);
      throw this.#failure;
    }
    if (this.#closed) {
      throw new CorpuscleError('CLOSED', 'the GPU engine is closed: make a new execution context');
    }
  }

  /** Ends all work with an error: everything that waits for the device gets it, and every later use. */
  fail(error: CorpuscleError): void {
    if (this.#failure) return;
    this.#failure = error;
    this.stream.abandon(error);
    for (const tell of this.#onFailure) tell(error);
  }

  /** Calls back when the device fails. */
  onFailure(tell: (error: CorpuscleError) => void): void {
    this.#onFailure.push(tell);
  }

  #report(error: GPUError): void {
    const kind = error.constructor.name;
    if (kind === 'GPUOutOfMemoryError') {
      if (this.#making === 'buffer') this.#refused = error;
      else this.fail(this.#outOfMemory(error));
    } else if (this.#making === 'kernel') this.#refused ??= error;
    else this.fail(this.#validation(error));
  }

  #validation(cause: GPUError): CorpuscleError {
    const text = firstLine(cause.message);
    return new CorpuscleError('DEVICE_VALIDATION', `the GPU refused ${this.during}: ${text}`, {
      cause,
    });
  }

  #outOfMemory(cause: unknown, what = ''): CorpuscleError {
    const inUse = `${mebibytes(this.counters.allocatedBytes)} in use`;
    return new CorpuscleError(
      'OUT_OF_MEMORY',
      `the GPU ran out of memory during ${this.during} (${what}${inUse}): use fewer particles, a shorter cutoff or skin, or backend cpu`,
      { cause },
    );
  }

  /** Bindings that a buffer takes. */
  segmentsOf({ size }: GPUBuffer): number {
    return Math.ceil(size / this.segmentBytes);
  }

  /** Bytes of a buffer at most. */
  get mostBytes(): number {
    return Math.min(this.limits.maxBufferSize, SEGMENTS * this.segmentBytes);
  }

  /**
   * Makes a storage buffer, zeroed.
   * @throws CorpuscleError OUT_OF_MEMORY when it exceeds a limit of the device, or the device has not so much left; the
   *   device can be used as before then.
   */
  buffer(label: string, bytes: number): GPUBuffer {
    const size = Math.max(16, Math.ceil(bytes / 16) * 16);
    const limit = this.mostBytes;
    if (size > limit) {
      throw new CorpuscleError(
        'OUT_OF_MEMORY',
        `'${label}' needs ${mebibytes(size)}, and one buffer of this GPU holds at most ${mebibytes(limit)}: use fewer particles, a shorter cutoff or skin, or backend cpu`,
      );
    }
    const usage = STORAGE | COPY_DST | COPY_SRC;
    const { made, refused } = this.#make('buffer', () =>
      this.device.createBuffer({ label, size, usage }),
    );
    if (refused) {
      made.destroy();
      throw this.#outOfMemory(refused, `${mebibytes(size)} wanted for '${label}', `);
    }
    this.counters.allocatedBytes += size;
    return made;
  }

  /**
   * Bytes of memory that can be had now, `wanted` at most. WebGPU does not tell what is free: buffers are made until the device
   * refuses one, and given back.
   */
  room(wanted: number): number {
    let piece = this.segmentBytes;
    const taken: GPUBuffer[] = [];
    let sum = 0;
    while (sum < wanted && piece >= LEAST_ROOM) {
      try {
        const buffer = this.buffer('room', Math.min(piece, wanted - sum));
        taken.push(buffer);
        sum += buffer.size;
      } catch {
        piece /= 2; // some of it may be had
      }
    }
    for (const buffer of taken) this.release(buffer);
    this.stream.flush();
    return Math.min(sum, wanted);
  }

  /** Gives a buffer's memory back once the commands recorded so far have run. */
  release(buffer: GPUBuffer | null): void {
    if (!buffer) return;
    this.counters.allocatedBytes -= buffer.size;
    this.stream.destroyLater(buffer);
  }

  /**
   * Compiles a kernel, once for each text; functions of the double-single library that it calls are added.
   * @throws CorpuscleError DEVICE_VALIDATION when the device refuses it and says so at once, as Dawn does; the device can be
   *   used as before then.
   */
  kernel(given: KernelSource): GpuKernel {
    return this.compiled(withValues(withDoubles(given, this.fusedProducts)));
  }

  /** The same of a kernel that has all functions and bindings that it needs. */
  compiled(source: KernelSource): GpuKernel {
    const text = kernelText(source);
    let kernel = this.#kernels.get(text);
    if (!kernel) {
      const known = textsOf(this.device).get(text);
      kernel = new GpuKernel(source, known ?? this.#compile(text, source));
      this.#kernels.set(text, kernel);
      this.counters.pipelines++;
    }
    return kernel;
  }

  #compile(text: string, source: KernelSource): CompiledText {
    const outer = this.operation;
    this.operation = source.label;
    const { made, refused } = this.#make('kernel', () => compileText(this.device, text, source));
    const error = refused && this.#validation(refused);
    this.operation = outer;
    if (error) throw error;
    const texts = textsOf(this.device);
    const compiled = { ...made, number: texts.size };
    texts.set(text, compiled);
    return compiled;
  }

  /** Makes something, with the first error that comes before it is given. */
  #make<T>(kind: 'buffer' | 'kernel', make: () => T): { made: T; refused: GPUError | null } {
    this.#making = kind;
    const made = make();
    this.#making = null;
    const refused = this.#refused;
    this.#refused = null;
    return { made, refused };
  }

  /** Kernels that were recorded for a submit of this number or a later one. */
  kernelsSince(submit: number): readonly GpuKernel[] {
    return [...this.#kernels.values()].filter(({ usedIn }) => usedIn >= submit);
  }

  /** Ends the device if it is ours, unless work without end keeps it; the process can exit afterwards. */
  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    if (!this.#failure && this.#owned) this.stream.discard();
    else if (!this.#failure) this.stream.flush();
    if (this.watch.gaveUp) return;
    this.stream.free();
    this.#endErrors();
    if (!this.#owned) return;
    this.device.destroy();
    await this.device.lost;
  }
}
