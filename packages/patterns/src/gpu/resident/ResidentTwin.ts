import type { BindGroups } from '../device/BindGroups.js';
import {
  type BoundGroup,
  type GpuKernel,
  HEADER_BYTES,
  type KernelSource,
} from '../device/GpuKernel.js';
import { PARAM_ALIGNMENT } from '../device/paramSlots.js';
import { workgroupBytes } from '../device/workgroupBytes.js';
import type { ResidentSteps } from './ResidentSteps.js';
import {
  buffersBeforeMeeting,
  MOST_STEPS,
  mostRecords,
  partialsOf,
  residentSource,
  stepRows,
} from './residentSource.js';
import { isOfPairs, isOfValues, mayBeStep, NEXT_POSITIONS } from './stageText.js';

/** Words of the header before the parameters of builds, and where bits say before which steps there is one, and which have records. */
const HEAD_WORDS = PARAM_ALIGNMENT >> 2;
const BUILD_BITS = 4;
const OWN_BITS = 12;

/** Steps that become one dispatch. */
export interface Series {
  readonly twin: ResidentTwin;
  /** Buffers of the kernels of the first of them. */
  readonly bound: readonly BoundGroup[];
  /** Of the parameters of the first kernel, in bytes; those of the others follow, and a header is before. */
  readonly offset: number;
  steps: number;
  /**
   * Steps with parameters of their own; after each of them positions change places with those in the other buffer. Others are as the
   * step before, and leave positions where that one does.
   */
  readonly own: number[];
  /** What builds lists before some of them, and before which. */
  build: GpuKernel | null;
  readonly builds: number[];
}

/** What takes many steps of the same kernels in one dispatch; see `residentSource`. */
export class ResidentTwin {
  /** Of a step, in their order. */
  readonly kernels: readonly GpuKernel[];
  readonly workgroups: number;
  /** Which of them is of pairs. */
  readonly pairsAt: number;
  /** Whether one dispatch may take steps of them. */
  readonly mayBe: boolean;
  /** Bytes of the parameters of a step. */
  readonly bytes: number;
  readonly #resident: ResidentSteps;
  /** Their texts. */
  readonly stages: readonly KernelSource[];
  /** Names of its buffers. */
  readonly #names: readonly string[];
  readonly #holdsValues: boolean;
  /** Places of positions, before and after a step, among the buffers of the pair kernel; the same where it does not move them. */
  readonly #positions: readonly [number, number];
  /** Buffers of the pair kernel of which is known that they follow each other. */
  #first: BoundGroup | null = null;
  #second: BoundGroup | null = null;
  /** Buffers of a build of lists of which is known that they are those of the steps. */
  #built: BoundGroup | null = null;
  #builtFor: readonly BoundGroup[] | null = null;
  readonly #byBuild = new Map<GpuKernel | null, GpuKernel>();
  /** Whether workgroups have memory for the text with a build, which takes long to write. */
  readonly #fits = new Map<GpuKernel | null, boolean>();

  /** @param pairsAt which of the kernels is of pairs. @param workgroups of that one */
  constructor(
    resident: ResidentSteps,
    kernels: readonly GpuKernel[],
    pairsAt: number,
    workgroups: number,
  ) {
    this.#resident = resident;
    this.kernels = kernels;
    this.pairsAt = pairsAt;
    this.workgroups = workgroups;
    this.bytes = kernels.reduce((sum, { paramBytes }) => sum + paramBytes, 0);
    this.stages = kernels.map(({ stage }) => stage!(workgroups));
    this.#holdsValues = this.stages.some(isOfValues);
    const { buffers } = this.stages[pairsAt]!;
    const at = (name: string) => buffers.findIndex((buffer) => buffer.name === name);
    this.#positions = [at('b_position'), Math.max(at('b_position'), at(NEXT_POSITIONS))];
    // Two buffers more: for meetings, and values of the context.
    this.#names = buffersBeforeMeeting(this.stages);
    const bound = this.#names.length + 2;
    this.mayBe = mayBeStep(this.stages) && bound <= resident.mostBuffers && this.#hasMemory(null);
  }

  /** Whether it is that of a step of these kernels from the first given on, and then of `last`. */
  isOf(kernels: readonly GpuKernel[], from: number, last: GpuKernel): boolean {
    const own = this.kernels;
    const others = own.length - 1;
    if (kernels.length - from !== others || own[others] !== last) return false;
    for (let k = 0; k < others; k++) if (own[k] !== kernels[from + k]) return false;
    return true;
  }

  /** Whether a dispatch may take one step more. */
  hasRoom({ steps }: Series): boolean {
    const resident = this.#resident;
    if (this.#holdsValues && !resident.holdsValues) return false;
    return steps < MOST_STEPS && steps < resident.mostSteps;
  }

  /** Whether that step may have parameters of its own. */
  hasRecord({ own }: Series): boolean {
    return own.length < mostRecords(this.bytes);
  }

  /** Whether kernel k goes on where some steps have ended: positions may alternate between two buffers, all others stay. */
  follows({ bound, own }: Series, k: number, next: BoundGroup): boolean {
    const first = bound[k]!;
    const [before, after] = this.#positions;
    if (k !== this.pairsAt || before === after || own.length % 2 === 0) return next === first;
    if (first === this.#first && next === this.#second) return true;
    const isExchanged = first.buffers.every((buffer, n) => {
      const from = n === before ? after : n === after ? before : n;
      return next.buffers[from] === buffer;
    });
    if (!isExchanged) return false;
    this.#first = first;
    this.#second = next;
    return true;
  }

  /** Whether a build after some steps works on their lists, and on the positions that they have left. */
  builds({ bound: first, own }: Series, kernel: GpuKernel, bound: BoundGroup): boolean {
    const [before, after] = this.#positions;
    const position = own.length % 2 === 0 ? before : after;
    if (bound.buffers[0] !== first[this.pairsAt]!.buffers[position]) return false;
    if (first === this.#builtFor && bound === this.#built) return true;
    const isSame = kernel.build!.buffers.every(
      ({ name }, k) => k === 0 || bound.buffers[k] === this.#bufferOf(first, name),
    );
    if (!isSame || !this.#hasMemory(kernel)) return false;
    this.#builtFor = first;
    this.#built = bound;
    return true;
  }

  #bufferOf(bound: readonly BoundGroup[], name: string): GPUBuffer | undefined {
    for (const [k, { buffers }] of this.stages.entries()) {
      const at = buffers.findIndex((one) => one.name === name);
      if (at >= 0) return bound[k]!.buffers[at];
    }
    return undefined;
  }

  /** Whether workgroups have memory for its text. */
  #hasMemory(build: GpuKernel | null): boolean {
    let fits = this.#fits.get(build);
    if (fits === undefined) {
      const bytes = workgroupBytes(this.#sourceWith(build).declarations!);
      fits = bytes <= this.#resident.workgroupBytes;
      this.#fits.set(build, fits);
    }
    return fits;
  }

  /** Whether kernels of a step see the same buffers by the same names. */
  agrees(bound: readonly BoundGroup[]): boolean {
    return this.stages.every(({ buffers }, k) =>
      buffers.every(({ name }, n) => bound[k]!.buffers[n] === this.#bufferOf(bound, name)),
    );
  }

  /** Records them. @param params of all dispatches. */
  record(
    pass: GPUComputePassEncoder,
    groups: BindGroups,
    { bound, steps, own: marked, offset, build, builds }: Series,
    params: Uint32Array,
  ): void {
    const { workgroups } = this;
    const resident = this.#resident;
    const header = offset - HEADER_BYTES;
    const positions = bound[this.pairsAt]!.buffers[this.#positions[0]]!;
    const partials = partialsOf(this.stages);
    const rows = stepRows(positions.size / 16, partials, workgroups);
    const size = (MOST_STEPS + 1) * rows;
    const own = resident.begin(pass, groups, { rows: size, workgroups, header });
    const twin = this.#twinWith(build);
    const head = params.subarray(header >> 2, (header >> 2) + HEAD_WORDS);
    head.fill(0);
    const meetings = 1 + steps * (partials > 0 ? 2 : 1);
    head.set([steps, resident.meet(workgroups, meetings), own.probed, marked.length % 2]);
    for (const step of builds) head[BUILD_BITS + (step >> 5)]! |= 1 << (step & 31);
    for (const step of marked) head[OWN_BITS + (step >> 5)]! |= 1 << (step & 31);
    resident.counters.series++;
    resident.counters.steps += steps;
    resident.counters.repeated += steps - marked.length;
    const buffers = this.#names.map((name) => this.#bufferOf(bound, name)!);
    pass.setPipeline(twin.pipeline);
    pass.setBindGroup(0, groups.of(twin, [...buffers, own.meeting]).group, [header]);
    pass.dispatchWorkgroups(workgroups);
  }

  #twinWith(build: GpuKernel | null): GpuKernel {
    let twin = this.#byBuild.get(build);
    if (!twin) {
      twin = this.#resident.compile(this.#sourceWith(build));
      this.#byBuild.set(build, twin);
    }
    return twin;
  }

  #sourceWith(build: GpuKernel | null): KernelSource {
    const bytes = this.kernels.map(({ paramBytes }) => paramBytes);
    return residentSource(this.stages, build?.build ?? null, bytes);
  }
}

/** What takes many steps of these kernels in one dispatch; null where nothing does. @param workgroups of each */
export function twinOf(
  resident: ResidentSteps,
  kernels: readonly GpuKernel[],
  workgroups: readonly number[],
): ResidentTwin | null {
  const others = kernels.slice(0, -1);
  const last = kernels.at(-1)!;
  const twins = last.twins!;
  let twin = twins.find(
    (one) => one.isOf(others, 0, last) && one.workgroups === workgroups[one.pairsAt],
  );
  if (!twin) {
    const pairsAt = kernels.findIndex(({ stage }) => isOfPairs(stage!(1)));
    if (pairsAt < 0) return null;
    twin = new ResidentTwin(resident, kernels, pairsAt, workgroups[pairsAt]!);
    twins.push(twin);
  }
  return twin.mayBe && resident.takes(twin.workgroups) ? twin : null;
}
