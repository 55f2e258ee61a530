import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelBuffer, ParamRecord } from '../device/GpuKernel.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { HEAD_WORDS, meetingBuffer, meetingBytes } from '../resident/meetingText.js';
import { ReplicaSlot } from './ReplicaSlot.js';
import { MOST_REPLICAS, rowBytes } from './replicaSource.js';

/** GPUBufferUsage, which is a global only after Dawn has been loaded: UNIFORM, STORAGE, COPY_DST. */
const PARAMETERS = 0x40 | 0x80 | 0x08;

/** Rows of a replica are a multiple of this: no two replicas write to one line of a cache, and copies begin where they may. */
const ROWS = 32;

/**
 * Buffers that hold those of all replicas, one after the other. What a replica has stays here from one stretch of steps to the next, until
 * something looks for it in the replica's own buffers: its slot says where it is.
 */
export class ReplicaMemory {
  /** Replicas at most. */
  readonly most: number;
  readonly #gpu: GpuDevice;
  readonly #buffers = new Map<string, GrowingBuffer>();
  /** Copies of some of them. */
  readonly #kept = new Map<string, GrowingBuffer>();
  readonly #rows = new Map<string, number>();
  readonly #parameters = new Map<string, GPUBuffer>();
  readonly #slots: ReplicaSlot[] = [];
  /** How often workgroups of a replica have met, as the device counts: it wraps. */
  #met = 0;

  constructor(gpu: GpuDevice, most: number) {
    this.#gpu = gpu;
    this.most = most;
  }

  /** A place for one more replica. @param gpu its own */
  slotFor(gpu: GpuDevice): ReplicaSlot {
    const slot = new ReplicaSlot(this, gpu, this.#slots.length);
    this.#slots.push(slot);
    return slot;
  }

  of(name: string): GPUBuffer {
    return this.#growing(name).buffer;
  }

  /** Rows of a replica; 0 in buffers that all share. */
  rowsOf(name: string): number {
    return this.#rows.get(name) ?? 0;
  }

  /** Makes room for so many rows of each replica. Where it has to grow, all get back what they have here. */
  reserve(one: KernelBuffer, rows: number): void {
    const each = Math.ceil(rows / ROWS) * ROWS;
    if (each <= this.rowsOf(one.name)) return;
    for (const slot of this.#slots) slot.giveBack();
    this.#rows.set(one.name, each);
    this.#growing(one.name).reserve(this.most * each * rowBytes(one));
  }

  /** Makes room for so many rows that all replicas share. */
  reserveShared(one: KernelBuffer, rows: number): void {
    this.#growing(one.name).reserve(rows * rowBytes(one));
  }

  /**
   * Makes room for so many rows that workgroups of each replica share. All have met equally often then, also those that were not there
   * last, or did not meet.
   */
  reserveMeeting(rows: number): void {
    const { name } = meetingBuffer;
    this.#rows.set(name, rows);
    const buffer = this.#growing(name).reserve(meetingBytes(rows * this.most, MOST_REPLICAS));
    const heads = new Uint32Array(HEAD_WORDS * MOST_REPLICAS);
    for (let k = 0; k < heads.length; k += HEAD_WORDS) heads[k] = this.#met;
    this.#gpu.stream.upload(buffer, new Uint8Array(heads.buffer));
  }

  /** Workgroups of a replica will come to so many meetings, all together. @returns how often they have before */
  meet(times: number): number {
    const before = this.#met;
    this.#met = (before + times) >>> 0;
    return before;
  }

  /** Copies rows of replica k from a buffer of its own, or to it. */
  copy(one: KernelBuffer, k: number, buffer: GPUBuffer, way: 'in' | 'out'): void {
    const stride = this.rowsOf(one.name) * rowBytes(one);
    const bytes = Math.min(stride, buffer.size);
    const all = this.of(one.name);
    if (way === 'in') this.#gpu.stream.copy(buffer, all, bytes, 0, k * stride);
    else this.#gpu.stream.copy(all, buffer, bytes, k * stride, 0);
  }

  /** Keeps what buffers hold, until `putBack`. */
  keep(names: readonly string[]): void {
    for (const name of names) {
      const { buffer, bytes } = this.#growing(name);
      const kept = this.#kept.get(name) ?? new GrowingBuffer(this.#gpu, `replicas: ${name}, kept`);
      this.#kept.set(name, kept);
      this.#gpu.stream.copy(buffer, kept.reserve(bytes), bytes);
    }
  }

  putBack(names: readonly string[]): void {
    for (const name of names) {
      const { buffer, bytes } = this.#growing(name);
      this.#gpu.stream.copy(this.#kept.get(name)!.buffer, buffer, bytes);
    }
  }

  /** Submits what has been recorded. */
  submit(): void {
    this.#gpu.stream.flush();
  }

  /** Writes parameters of all replicas. */
  uploadParameters(name: string, { buffer: bytes }: ParamRecord): void {
    let buffer = this.#parameters.get(name);
    if (!buffer) {
      buffer = this.#gpu.device.createBuffer({
        label: name,
        size: bytes.byteLength,
        usage: PARAMETERS,
      });
      this.#parameters.set(name, buffer);
    }
    this.#gpu.stream.upload(buffer, new Uint8Array(bytes));
  }

  parametersOf(name: string): GPUBuffer {
    return this.#parameters.get(name)!;
  }

  #growing(name: string): GrowingBuffer {
    const known = this.#buffers.get(name);
    if (known) return known;
    const made = new GrowingBuffer(this.#gpu, `replicas: ${name}`);
    this.#buffers.set(name, made);
    return made;
  }

  free(): void {
    for (const slot of this.#slots) slot.forget();
    for (const buffer of [...this.#buffers.values(), ...this.#kept.values()]) buffer.free();
    this.#buffers.clear();
    this.#kept.clear();
    for (const buffer of this.#parameters.values()) buffer.destroy();
    this.#parameters.clear();
  }
}
