import { type GpuKernel, ParamRecord } from './GpuKernel.js';
import type { Receiver } from './ResultPage.js';

/** A dispatch that was captured, and not recorded. */
export interface CapturedDispatch {
  readonly kernel: GpuKernel;
  readonly buffers: readonly GPUBuffer[];
  readonly params: ParamRecord;
  readonly groups: number;
}

/** A small result that waits to be copied from a buffer. */
export interface HeldResult {
  readonly buffer: GPUBuffer;
  readonly bytes: number;
  readonly offset: number;
  readonly receiver: Receiver;
  /** Submits what it waits for: somebody awaits it. */
  flush(): void;
}

/** A command that waits while the buffers of its stream are elsewhere. */
export type HeldCommand = CapturedDispatch | HeldResult;

export const isDispatch = (one: HeldCommand): one is CapturedDispatch => 'kernel' in one;

/** What has the buffers of a stream for a while: see `gpu/replicas`. */
export interface BufferHolder {
  /** Gives all of them back, and lets the commands that wait be recorded. */
  giveBack(): void;
  /** The content of a buffer is not wanted any more. */
  drop(buffer: GPUBuffer): void;
}

/**
 * Keeps dispatches from being recorded: to tell which they are, or because the buffers of the stream are elsewhere. Then dispatches and
 * small results wait, and the first other command gets the buffers back:
 *
 *   held back   dispatch │ dispatch │ result │              made with those of others
 *   or          dispatch │ dispatch │ result │ upload       buffers come back, all four are recorded
 */
export class DispatchCapture {
  #captured: CapturedDispatch[] | null = null;
  #holder: BufferHolder | null = null;
  #held: HeldCommand[] = [];
  /** Those that waited before, whose records are free. */
  #before: readonly HeldCommand[] = [];

  /** Whether a dispatch is captured, or waits. Those that only their own stream can make get the buffers back. */
  takes(kernel: GpuKernel): boolean {
    if (this.#captured !== null) return true;
    if (this.#holder === null) return false;
    if (isOfRows(kernel)) return true;
    this.#holder.giveBack();
    return false;
  }

  /** The dispatches that would be recorded now, and are not. */
  during(record: () => void): readonly CapturedDispatch[] {
    const captured: CapturedDispatch[] = [];
    this.#captured = captured;
    try {
      record();
    } finally {
      this.#captured = null;
    }
    return captured;
  }

  /** @returns where its parameters are written */
  add(kernel: GpuKernel, buffers: readonly GPUBuffer[], groups: number): ParamRecord {
    if (this.#captured !== null) {
      const params = new ParamRecord(kernel.paramBytes);
      this.#captured.push({ kernel, buffers: [...buffers], params, groups });
      return params;
    }
    const before = this.#before[this.#held.length];
    const isSame = before !== undefined && isDispatch(before) && before.kernel === kernel;
    const params = isSame ? before.params : new ParamRecord(kernel.paramBytes);
    this.#held.push({ kernel, buffers: [...buffers], params, groups });
    return params;
  }

  /** Lets a result wait. @returns whether it does */
  addResult(result: HeldResult): boolean {
    if (this.#holder === null) return false;
    this.#held.push(result);
    return true;
  }

  /** Somebody else has the buffers from now on, or nobody. */
  heldBy(holder: BufferHolder | null): void {
    this.#holder = holder;
  }

  /** The commands that wait. */
  get held(): readonly HeldCommand[] {
    return this.#held;
  }

  /** The same; they wait no more, and the caller is done with them before the next. */
  takeHeld(): readonly HeldCommand[] {
    const held = this.#held;
    this.#before = held;
    this.#held = [];
    return held;
  }

  /** A command comes that cannot wait. */
  giveBack(): void {
    this.#holder?.giveBack();
  }

  /** What waits is submitted. */
  giveBackHeld(): void {
    if (this.#held.length > 0) this.#holder?.giveBack();
  }

  drop(buffer: GPUBuffer): void {
    this.#holder?.drop(buffer);
  }
}

/** Whether a kernel binds rows only, and takes one step. */
export const isOfRows = ({ source }: GpuKernel): boolean =>
  source.records === undefined && source.buffers.every(({ type }) => type.startsWith('array<'));
