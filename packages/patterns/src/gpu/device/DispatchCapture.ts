import { type GpuKernel, ParamRecord } from './GpuKernel.js';

/** A dispatch that was captured, and not recorded. */
export interface CapturedDispatch {
  readonly kernel: GpuKernel;
  readonly buffers: readonly GPUBuffer[];
  readonly params: ParamRecord;
  readonly groups: number;
}

/** Keeps dispatches from being recorded, and tells which they were. */
export class DispatchCapture {
  #captured: CapturedDispatch[] | null = null;

  get isOn(): boolean {
    return this.#captured !== null;
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
    const params = new ParamRecord(kernel.paramBytes);
    this.#captured!.push({ kernel, buffers: [...buffers], params, groups });
    return params;
  }
}
