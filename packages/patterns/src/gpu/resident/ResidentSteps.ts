import type { BindGroups } from '../device/BindGroups.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { GpuKernel, KernelSource } from '../device/GpuKernel.js';
import { LANES } from '../kernels/KernelPart.js';
import { GrowingBuffer } from '../residency/GrowingBuffer.js';
import { VALUE_BYTES } from '../values/ValueStore.js';
import { meetingBytes } from './meetingText.js';
import { probeRows, probeSource, ROUNDS } from './probeSource.js';
import { HELD_VALUES } from './residentSource.js';
import { mayBeWithinStep, mayEndStep } from './stageText.js';

/** Workgroups that are thought to run at once on a card at most: those of 20,480 particles with four threads each. */
const MOST_WORKGROUPS = 640;
/** Milliseconds that a dispatch is thought to take at most: drivers end what seems to hang. */
const LONGEST = 50;

/** Rows that the workgroups of a series share, and where its parameters begin, in bytes. */
interface Beginning {
  readonly rows: number;
  readonly workgroups: number;
  readonly header: number;
}

/** What a series of steps binds besides the buffers of its kernel, and how often workgroups had met before the probe. */
interface Begun {
  readonly meeting: GPUBuffer;
  readonly probed: number;
}

/**
 * Series of steps that a device takes in one dispatch. A step of few particles that rebuilds no lists is one to three kernels, and
 * takes less time than their dispatches. So steps in a row become one dispatch of the twin of these kernels:
 *
 *   recorded   bin │ permute │ build lists │ step │ step │ step │ … │ step + bin │ permute │ …
 *   submitted  bin │ permute │ build lists │ step ┄ meet ┄ step ┄ … │ step + bin │ permute │ …
 *
 * WebGPU does not promise that workgroups can wait for each other. So they wait for a bounded time, a probe comes first, and a wait
 * that is too long is noted in the record of the step's list update: the window of speculation is then made again, one step a dispatch.
 */
export class ResidentSteps {
  readonly #gpu: GpuDevice;
  readonly #meeting: GrowingBuffer;
  #probe: GpuKernel | null = null;
  /** Workgroups that have been probed. */
  #probed = 0;
  /** Whether steps are taken so. On a software adapter they are not: a dispatch costs little there. */
  isOn: boolean;
  /** Whether a kernel has a twin, and whether one was left out for its many workgroups. */
  #hasTwins = false;
  #isLarge = false;
  /** Workgroups that may meet, and steps taken until they last did not. */
  #most = MOST_WORKGROUPS;
  #failedAfter: number | null = null;
  /** How often workgroups have met so far, as the device counts: it wraps. */
  met = 0;
  /** Simulations that share the device, and dispatches. */
  replicas = 1;
  /** Series recorded so far, their steps, and those of the steps that are as the one before. */
  readonly counters = { series: 0, steps: 0, repeated: 0 };

  constructor(gpu: GpuDevice) {
    this.#gpu = gpu;
    this.#meeting = new GrowingBuffer(gpu, 'resident steps');
    this.isOn = !gpu.info.software;
  }

  /** Lets a kernel be part of series, if it may. @param source of the kernel. @param stage its text there, if that is another */
  offer(
    kernel: GpuKernel,
    source: KernelSource,
    stage: (workgroups: number) => KernelSource = () => source,
  ): void {
    const ends = mayEndStep(source);
    if (!ends && !mayBeWithinStep(source)) return;
    kernel.stage ??= stage;
    if (!ends) return;
    kernel.twins ??= [];
    this.#hasTwins = true;
  }

  /** Buffers that a kernel may bind. */
  get mostBuffers(): number {
    return this.#gpu.limits.maxStorageBuffersPerShaderStage;
  }

  /** Memory of a workgroup, in bytes. */
  get workgroupBytes(): number {
    return this.#gpu.limits.maxComputeWorkgroupStorageSize;
  }

  /** Whether workgroups have room for a copy of all values of the context. */
  get holdsValues(): boolean {
    return this.#gpu.values.bytes <= VALUE_BYTES * HELD_VALUES;
  }

  /**
   * Workgroups did not meet: the device does not run as many at once. Half as many may, which leaves fewer threads to a particle;
   * otherwise a step is a dispatch from now on.
   * @param mayHalve whether sums may be added in another order
   */
  didNotMeet(mayHalve: boolean): void {
    this.#most = mayHalve ? this.#probed >> 1 : 0;
    this.isOn = this.#most > 0;
    this.#failedAfter = this.counters.steps;
    // How often they have met is not known any more.
    this.#meeting.free();
    this.#probed = 0;
  }

  /** Threads that share a particle: as many as wished, or so few that workgroups can meet. A step of many particles needs four. */
  lanesToMeet(count: number, wished: number): number {
    const workgroups = (lanes: number) => Math.ceil((count * lanes) / LANES);
    if (this.replicas > 1) {
      let lanes = wished;
      while (lanes > 1 && workgroups(lanes) * this.replicas > MOST_WORKGROUPS) lanes /= 2;
      return lanes;
    }
    const fewest = workgroups(wished) > MOST_WORKGROUPS ? Math.min(wished, 4) : 1;
    if (workgroups(fewest) > this.#most) return wished;
    let lanes = wished;
    while (workgroups(lanes) > this.#most) lanes /= 2;
    return lanes;
  }

  takes(workgroups: number): boolean {
    this.#isLarge ||= workgroups > this.#most;
    return this.isOn && workgroups <= this.#most;
  }

  /** How many steps a dispatch takes, and why. */
  explain(): string {
    const { steps, series } = this.counters;
    const taken = `${steps} steps were taken in ${series} dispatches`;
    if (steps === this.#failedAfter)
      return `one step a dispatch: workgroups of this device did not wait for each other (${taken} before)`;
    if (!this.isOn) return 'one step a dispatch: on a software adapter a dispatch costs little';
    if (steps > 0) return `many steps a dispatch: ${taken}`;
    if (this.#isLarge) return `one step a dispatch: it has more than ${this.#most} workgroups`;
    return this.#hasTwins
      ? 'one step a dispatch so far: no two steps followed each other without a rebuild'
      : 'one step a dispatch at most: there are less than six steps so far, or kernels of a step without a rebuild cannot be one';
  }

  /** Steps that one dispatch may take. */
  get mostSteps(): number {
    return this.#gpu.stream.arrivals.dispatchesIn(LONGEST);
  }

  compile(source: KernelSource): GpuKernel {
    return this.#gpu.kernel(source);
  }

  /** Prepares a series, and tries first whether so many workgroups can meet. */
  begin(
    pass: GPUComputePassEncoder,
    groups: BindGroups,
    { rows, workgroups, header }: Beginning,
  ): Begun {
    const meeting = this.#reserve(Math.max(rows, probeRows(workgroups)));
    const probed = this.met;
    if (workgroups > this.#probed) {
      this.#probed = workgroups;
      this.#probe ??= this.compile(probeSource);
      this.meet(workgroups, ROUNDS);
      pass.setPipeline(this.#probe.pipeline);
      pass.setBindGroup(0, groups.of(this.#probe, [meeting]).group, [header]);
      pass.dispatchWorkgroups(workgroups);
    }
    return { meeting, probed };
  }

  /** The buffer that workgroups share; a new one is all zero. */
  #reserve(rows: number): GPUBuffer {
    const { bytes } = this.#meeting;
    const meeting = this.#meeting.reserve(meetingBytes(rows));
    if (this.#meeting.bytes !== bytes) this.met = 0;
    return meeting;
  }

  /** Workgroups will meet so often. @returns how often they have before */
  meet(workgroups: number, times: number): number {
    const before = this.met;
    this.met = (before + workgroups * times) >>> 0;
    return before;
  }
}
