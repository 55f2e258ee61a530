import type { BindGroups } from '../device/BindGroups.js';
import type { BoundGroup, GpuKernel, KernelSource } from '../device/GpuKernel.js';
import type { ResidentSteps } from './ResidentSteps.js';
import { HEADER_BYTES, mostRecords, residentSource } from './residentSource.js';

/** Steps that become one dispatch. */
export interface Series {
  readonly steps: number;
  readonly workgroups: number;
  /** Of the parameters of the first step, in bytes; those of the others follow, and a header is before. */
  readonly offset: number;
  /** What computes values between two steps. */
  readonly between: GpuKernel | null;
}

/** What takes many steps of a kernel in one dispatch; see `residentSource`. */
export class ResidentTwin {
  readonly #resident: ResidentSteps;
  readonly #kernel: GpuKernel;
  readonly #source: KernelSource;
  /** Places of positions, before and after a step, among its buffers. */
  readonly #positions: readonly [number, number];
  /** Buffers of which is known that they follow each other. */
  #first: BoundGroup | null = null;
  #second: BoundGroup | null = null;
  /** By what comes between two steps. */
  readonly #twins = new Map<GpuKernel | null, GpuKernel>();

  constructor(resident: ResidentSteps, kernel: GpuKernel, source: KernelSource) {
    this.#resident = resident;
    this.#kernel = kernel;
    this.#source = source;
    const at = (name: string) => source.buffers.findIndex((buffer) => buffer.name === name);
    this.#positions = [at('b_position'), at('b_position_2e_next')];
  }

  /** Whether dispatches of so many workgroups may become part of one. */
  takes(workgroups: number): boolean {
    return this.#resident.takes(workgroups);
  }

  /** Whether a dispatch goes on where some steps have ended: positions alternate between two buffers, all others stay. */
  follows(first: BoundGroup, steps: number, next: BoundGroup, between: GpuKernel | null): boolean {
    const resident = this.#resident;
    if (between && !resident.holdsValues) return false;
    const bytes = this.#kernel.paramBytes + (between?.paramBytes ?? 0);
    if (steps >= mostRecords(bytes) || steps >= resident.mostSteps) return false;
    if (steps % 2 === 0) return next === first;
    if (first === this.#first && next === this.#second) return true;
    const [before, after] = this.#positions;
    const isExchanged = first.buffers.every((buffer, k) => {
      const from = k === before ? after : k === after ? before : k;
      return next.buffers[from] === buffer;
    });
    if (!isExchanged) return false;
    this.#first = first;
    this.#second = next;
    return true;
  }

  /** Records them. @param params of all dispatches. */
  record(
    pass: GPUComputePassEncoder,
    groups: BindGroups,
    { buffers }: BoundGroup,
    { steps, workgroups, offset, between }: Series,
    params: Uint32Array,
  ): void {
    const resident = this.#resident;
    const header = offset - HEADER_BYTES;
    const own = resident.begin(pass, groups, buffers[this.#positions[0]]!, workgroups, header);
    const twin = this.#twinWith(between);
    params.set([steps, resident.meet(workgroups, steps + 1), own.probed], header >> 2);
    resident.counters.series++;
    resident.counters.steps += steps;
    pass.setPipeline(twin.pipeline);
    pass.setBindGroup(0, groups.of(twin, [...buffers, own.meeting]).group, [header]);
    pass.dispatchWorkgroups(workgroups);
  }

  #twinWith(between: GpuKernel | null): GpuKernel {
    let twin = this.#twins.get(between);
    if (!twin) {
      const bytes = [this.#kernel.paramBytes, between?.paramBytes ?? 0] as const;
      twin = this.#resident.compile(residentSource(this.#source, between?.between ?? null, bytes));
      this.#twins.set(between, twin);
    }
    return twin;
  }
}
