import type { BindGroups } from '../device/BindGroups.js';
import type { BoundGroup, GpuKernel, KernelSource } from '../device/GpuKernel.js';
import type { ResidentSteps } from './ResidentSteps.js';
import { HEADER_BYTES, mostRecords, residentSource } from './residentSource.js';

/** Steps that become one dispatch. */
export interface Stretch {
  readonly steps: number;
  readonly workgroups: number;
  /** Of the parameters of the first step, in bytes; those of the others follow, and a header is before. */
  readonly offset: number;
}

/** What takes many steps of a kernel in one dispatch; see `residentSource`. */
export class ResidentTwin {
  readonly #resident: ResidentSteps;
  readonly #kernel: GpuKernel;
  readonly #source: KernelSource;
  /** Places of positions, before and after a step, among its buffers. */
  readonly #positions: readonly [number, number];
  readonly #mostSteps: number;
  /** Buffers of which is known that they follow each other. */
  #first: BoundGroup | null = null;
  #second: BoundGroup | null = null;
  #twin: GpuKernel | null = null;

  constructor(resident: ResidentSteps, kernel: GpuKernel, source: KernelSource) {
    this.#resident = resident;
    this.#kernel = kernel;
    this.#source = source;
    const at = (name: string) => source.buffers.findIndex((buffer) => buffer.name === name);
    this.#positions = [at('b_position'), at('b_position_2e_next')];
    this.#mostSteps = mostRecords(kernel.paramBytes);
  }

  /** Whether dispatches of so many workgroups may become part of one. */
  takes(workgroups: number): boolean {
    return this.#resident.takes(workgroups);
  }

  /** Whether a dispatch goes on where some steps have ended: positions alternate between two buffers, all others stay. */
  follows(first: BoundGroup, steps: number, next: BoundGroup): boolean {
    if (steps >= this.#mostSteps || steps >= this.#resident.mostSteps) return false;
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
    { steps, workgroups, offset }: Stretch,
    params: Uint32Array,
  ): void {
    const resident = this.#resident;
    const header = offset - HEADER_BYTES;
    const own = resident.begin(pass, groups, buffers[this.#positions[0]]!, workgroups, header);
    this.#twin ??= resident.compile(residentSource(this.#source, this.#kernel.paramBytes));
    params.set([steps, resident.meet(workgroups, steps + 1), own.probed], header >> 2);
    resident.counters.stretches++;
    resident.counters.steps += steps;
    pass.setPipeline(this.#twin.pipeline);
    pass.setBindGroup(0, groups.of(this.#twin, [...buffers, ...own.buffers]).group, [header]);
    pass.dispatchWorkgroups(workgroups);
  }
}
