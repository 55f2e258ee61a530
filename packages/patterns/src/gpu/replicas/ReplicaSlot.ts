import { type BufferHolder, type HeldCommand, isDispatch } from '../device/DispatchCapture.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelBuffer } from '../device/GpuKernel.js';
import { recordResult } from '../device/PendingResult.js';
import type { ReplicaMemory } from './ReplicaMemory.js';

/** A buffer of a replica whose rows are in memory of all. */
interface Away {
  readonly one: KernelBuffer;
  buffer: GPUBuffer;
  /** Whether they are newer there. */
  isWritten: boolean;
}

/**
 * Where the newest rows of a replica's buffers are: in these, or in memory of all replicas. They stay there between stretches of steps.
 * Commands of the replica wait meanwhile, and are made with those of others; one that cannot wait gets all rows back first. So whoever
 * records a command finds the buffers as it left them.
 */
export class ReplicaSlot implements BufferHolder {
  /** Its place in memory. */
  readonly number: number;
  /** Whether steps are being made of which is not known yet whether they are good. */
  isBusy = false;
  readonly #memory: ReplicaMemory;
  readonly #gpu: GpuDevice;
  /** By the name of the buffer in memory of all. */
  readonly #away = new Map<string, Away>();

  constructor(memory: ReplicaMemory, gpu: GpuDevice, number: number) {
    this.#memory = memory;
    this.#gpu = gpu;
    this.number = number;
  }

  /** Values of its context. */
  get values(): GPUBuffer {
    return this.#gpu.values.buffer;
  }

  /** Whether rows of a buffer are in memory of all, by this name. */
  has(name: string, buffer: GPUBuffer): boolean {
    return this.#away.get(name)?.buffer === buffer;
  }

  /** The name that a buffer has in memory of all. */
  placeOf(buffer: GPUBuffer): string | undefined {
    for (const [name, one] of this.#away) if (one.buffer === buffer) return name;
    return undefined;
  }

  /** Rows of a buffer are in memory of all from now on. @param isKept whether what they are matters */
  take(one: KernelBuffer, buffer: GPUBuffer, isKept = true): void {
    const known = this.#away.get(one.name);
    if (known?.buffer === buffer) return;
    const elsewhere = this.placeOf(buffer);
    if (elsewhere) this.#bring(elsewhere);
    if (known) this.#bring(one.name);
    if (isKept) this.#memory.copy(one, this.number, buffer, 'in');
    this.#away.set(one.name, { one, buffer, isWritten: false });
    this.#gpu.stream.capture.heldBy(this);
  }

  /** Rows have been written there: those of this buffer. */
  wrote(name: string, buffer: GPUBuffer): void {
    const one = this.#away.get(name)!;
    one.buffer = buffer;
    one.isWritten = true;
  }

  #bring(name: string): void {
    const { one, buffer, isWritten } = this.#away.get(name)!;
    if (isWritten) this.#memory.copy(one, this.number, buffer, 'out');
    this.#away.delete(name);
  }

  /** Submits what has been recorded for its own buffers. */
  submit(): void {
    if (this.#away.size === 0) this.#gpu.stream.flush();
  }

  /** The commands that wait. */
  get held(): readonly HeldCommand[] {
    return this.#gpu.stream.capture.held;
  }

  /** The same; they wait no more. */
  takeHeld(): readonly HeldCommand[] {
    return this.#gpu.stream.capture.takeHeld();
  }

  giveBack(): void {
    if (this.isBusy) throw new Error('a replica used its buffers while steps were made of it');
    if (this.#away.size > 0) {
      for (const name of [...this.#away.keys()]) this.#bring(name);
      this.#memory.submit();
    }
    this.forget();
  }

  drop(buffer: GPUBuffer): void {
    const name = this.placeOf(buffer);
    if (name) this.#away.delete(name);
  }

  /** What is in memory of all is lost: its own buffers are all that there is. */
  forget(): void {
    const { stream } = this.#gpu;
    this.#away.clear();
    stream.capture.heldBy(null);
    for (const one of stream.capture.takeHeld()) {
      if (isDispatch(one)) stream.dispatchWritten(one.kernel, one.buffers, one.params, one.groups);
      else recordResult(stream, one);
    }
  }
}
