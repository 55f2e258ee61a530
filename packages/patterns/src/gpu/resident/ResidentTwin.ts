import type { BindGroups } from '../device/BindGroups.js';
import {
  type BoundGroup,
  type GpuKernel,
  HEADER_BYTES,
  type KernelSource,
} from '../device/GpuKernel.js';
import { PARAM_ALIGNMENT } from '../device/paramSlots.js';
import type { ResidentSteps } from './ResidentSteps.js';
import { mostRecords, residentSource } from './residentSource.js';

/** Words of the header before the parameters of builds, and where bits say before which steps there is one. */
const HEAD_WORDS = PARAM_ALIGNMENT >> 2;
const BUILD_BITS = 4;

/** Steps that become one dispatch. */
export interface Series {
  readonly steps: number;
  readonly workgroups: number;
  /** Of the parameters of the first step, in bytes; those of the others follow, and a header is before. */
  readonly offset: number;
  /** What computes values between two steps. */
  readonly between: GpuKernel | null;
  /** What builds lists before some of them, and before which. */
  readonly build: GpuKernel | null;
  readonly builds: readonly number[];
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
  /** Buffers of a build of lists of which is known that they are those of the steps. */
  #built: BoundGroup | null = null;
  #builtFor: BoundGroup | null = null;
  /** By what comes between two steps, and by what builds lists. */
  readonly #twins = new Map<GpuKernel | null, Map<GpuKernel | null, GpuKernel>>();

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

  /** Whether a build after so many steps works on their lists, and on the positions that they have left. */
  builds(first: BoundGroup, steps: number, kernel: GpuKernel, bound: BoundGroup): boolean {
    const [before, after] = this.#positions;
    const position = steps % 2 === 0 ? before : after;
    if (bound.buffers[0] !== first.buffers[position]) return false;
    if (first === this.#builtFor && bound === this.#built) return true;
    const names = this.#source.buffers.map(({ name }) => name);
    const isSame = kernel.build!.buffers.every(
      ({ name }, k) => k === 0 || bound.buffers[k] === first.buffers[names.indexOf(name)],
    );
    if (!isSame) return false;
    this.#builtFor = first;
    this.#built = bound;
    return true;
  }

  /** Records them. @param params of all dispatches. */
  record(
    pass: GPUComputePassEncoder,
    groups: BindGroups,
    { buffers }: BoundGroup,
    { steps, workgroups, offset, between, build, builds }: Series,
    params: Uint32Array,
  ): void {
    const resident = this.#resident;
    const header = offset - HEADER_BYTES;
    const own = resident.begin(pass, groups, buffers[this.#positions[0]]!, workgroups, header);
    const twin = this.#twinWith(between, build);
    const head = params.subarray(header >> 2, (header >> 2) + HEAD_WORDS);
    head.fill(0);
    head.set([steps, resident.meet(workgroups, steps + 1), own.probed]);
    for (const step of builds) head[BUILD_BITS + (step >> 5)]! |= 1 << (step & 31);
    resident.counters.series++;
    resident.counters.steps += steps;
    pass.setPipeline(twin.pipeline);
    pass.setBindGroup(0, groups.of(twin, [...buffers, own.meeting]).group, [header]);
    pass.dispatchWorkgroups(workgroups);
  }

  #twinWith(between: GpuKernel | null, build: GpuKernel | null): GpuKernel {
    let twins = this.#twins.get(between);
    if (!twins) {
      twins = new Map();
      this.#twins.set(between, twins);
    }
    let twin = twins.get(build);
    if (!twin) {
      const bytes = [this.#kernel.paramBytes, between?.paramBytes ?? 0] as const;
      const texts = [between?.between ?? null, build?.build ?? null] as const;
      twin = this.#resident.compile(residentSource(this.#source, ...texts, bytes));
      twins.set(build, twin);
    }
    return twin;
  }
}
