import { FieldBlock } from '@corpuscle/core';
import type { CapturedDispatch } from '../device/DispatchCapture.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelBuffer } from '../device/GpuKernel.js';
import { paramSlots } from '../device/paramSlots.js';
import { paramWriter } from '../device/paramWriter.js';
import { withValues } from '../kernels/withValues.js';
import { BEYOND_ALL } from '../neighbors/DisplacementRecords.js';
import { RECORD_WORDS } from '../neighbors/displacementText.js';
import { meetingBuffer } from '../resident/meetingText.js';
import {
  HELD_VALUES,
  MOST_STEPS,
  partialsOf,
  residentSource,
  stepRows,
} from '../resident/residentSource.js';
import { NEXT_POSITIONS } from '../resident/stageText.js';
import type { CapturedStep } from '../step/captureStep.js';
import { ReplicaKernel, type ReplicaSetting } from './ReplicaKernel.js';
import type { ReplicaMemory } from './ReplicaMemory.js';
import type { ReplicaStep } from './ReplicaStep.js';
import { rowBytes } from './replicaSource.js';
import { wrapKernel, wrapValues } from './wrapKernel.js';

/** Buffers that steps fill by themselves; lists go back to the replicas. */
const LISTS = ['counts', 'entries', 'reference'];
const OWN = ['displacements', 'partials', meetingBuffer.name, NEXT_POSITIONS, 'replicas'];

/** Steps of all replicas: how many, and after how many lists are built. */
export interface Stretch {
  readonly steps: number;
  readonly interval: number;
}

/**
 * Steps of one kind, which replicas take together in memory of their own:
 *
 *   copy in │ head │ wrap │ build ┄ step ┄ step ┄ build ┄ … │ wrap │ … │ build │ tail │ read records │ copy out, if lists were good
 *
 * What a replica has itself stays as it was until the end, so that steps whose lists were used too long are just made again.
 */
export class ReplicaSteps {
  readonly #gpu: GpuDevice;
  readonly #memory: ReplicaMemory;
  readonly #head: readonly ReplicaKernel[];
  readonly #tail: readonly ReplicaKernel[];
  readonly #many: ReplicaKernel | null;
  readonly #wrap: ReplicaKernel;
  readonly #build: ReplicaKernel;
  readonly #partials: number;
  /** What parameters were given for last. */
  #known: readonly CapturedStep['head'][] = [];
  #knownSteps = 0;
  /** All but that of meetings, those that come from replicas, and those of them that go back. */
  readonly #used: readonly KernelBuffer[];
  readonly #copied: readonly KernelBuffer[];
  readonly #returned: readonly KernelBuffer[];

  constructor(shared: Omit<ReplicaSetting, 'place'>, step: ReplicaStep) {
    const { twin, build, buffers, head, tail } = step;
    const setting: ReplicaSetting = { ...shared, place: placeIn(buffers) };
    this.#gpu = shared.gpu;
    this.#memory = shared.memory;
    const each = (dispatches: readonly CapturedDispatch[], part: string) =>
      dispatches.map(({ kernel }, k) => new ReplicaKernel(setting, kernel.source, `${part} ${k}`));
    this.#head = each(head, 'head');
    this.#tail = each(tail, 'tail');
    const bytes = twin?.kernels.map(({ paramBytes }) => paramBytes) ?? [];
    const many = twin && residentSource(twin.stages, build.kernel.build, bytes);
    this.#many = many && new ReplicaKernel(setting, withValues(many), 'steps');
    this.#wrap = new ReplicaKernel(setting, wrapKernel(buffers.has('flags')), 'wrap');
    this.#build = new ReplicaKernel(setting, build.kernel.source, 'build');
    this.#partials = twin ? partialsOf(twin.stages) : 0;
    const byName = new Map<string, KernelBuffer>();
    for (const { source } of this.#kernels)
      for (const one of source.buffers) {
        const name = setting.place(one.name);
        if (byName.get(name)?.access !== 'read_write') byName.set(name, { ...one, name });
      }
    byName.delete('replicas');
    this.#used = [...byName.values()].filter(({ name }) => name !== meetingBuffer.name);
    const all = this.#used.filter(({ name }) => !OWN.includes(name));
    this.#copied = all.filter(({ name }) => !LISTS.includes(name));
    this.#returned = all.filter(({ access }) => access === 'read_write');
  }

  get #kernels(): readonly ReplicaKernel[] {
    const many = this.#many ? [this.#many] : [];
    return [...this.#head, ...many, ...this.#tail, this.#wrap, this.#build];
  }

  /** Whether the device can bind what its kernels need. */
  get fits(): boolean {
    return this.#kernels.every(({ fits }) => fits);
  }

  /**
   * Makes steps of all replicas. @returns the records of their list updates, each replica's after those of the one before: as many
   * for each as there is room for
   */
  async run(steps: readonly ReplicaStep[], stretch: Stretch): Promise<Uint32Array> {
    const { stream } = this.#gpu;
    const { length } = steps;
    const [{ head, tail, workgroups }] = steps as [ReplicaStep];
    this.#reserve(steps, stretch);
    this.#setParameters(steps, stretch);
    const displacements = this.#memory.of('displacements');
    stream.clear(displacements);
    this.#copyIn(steps);
    for (const [k, kernel] of this.#head.entries()) kernel.dispatch(length, head[k]!.groups);
    const between = stretch.steps - 1;
    const most = mostBetween(steps, stretch);
    for (let from = 0; from < between; from += most) {
      this.#wrapAll(steps);
      this.#take(steps, from, Math.min(most, between - from), stretch.interval);
    }
    this.#wrapAll(steps);
    this.#build.dispatch(length, workgroups);
    for (const [k, kernel] of this.#tail.entries()) kernel.dispatch(length, tail[k]!.groups);
    const words = length * this.#memory.rowsOf('displacements');
    const readback = stream.read(displacements, 4 * words);
    readback.flush();
    return new Uint32Array(await readback.data);
  }

  /** Gives the replicas what the last steps have left. */
  copyOut(steps: readonly ReplicaStep[]): void {
    for (const one of this.#returned)
      for (const [k, step] of steps.entries())
        this.#memory.copy(one, k, bufferOf(step, one.name, 1), 'out');
    this.#gpu.stream.flush();
  }

  #copyIn(steps: readonly ReplicaStep[]): void {
    for (const one of this.#copied)
      for (const [k, step] of steps.entries())
        this.#memory.copy(one, k, bufferOf(step, one.name, 0), 'in');
  }

  #reserve(steps: readonly ReplicaStep[], stretch: Stretch): void {
    const memory = this.#memory;
    const { length } = steps;
    const most = (of: (step: ReplicaStep) => number): number => Math.max(...steps.map(of));
    const count = most(({ grid }) => grid.count) + FieldBlock.PADDING;
    const own: Readonly<Record<string, () => number>> = {
      b_position: () => count,
      counts: () => count,
      reference: () => count,
      entries: () => most(({ lists }) => (lists.stride * lists.capacity) / 4),
      displacements: () => RECORD_WORDS * (stretch.steps + 2),
      values: () => HELD_VALUES,
    };
    for (const one of this.#used) {
      const bound = () => most(({ buffers }) => buffers.get(one.name)!.size) / rowBytes(one);
      memory.reserve(one, Math.floor((own[one.name] ?? bound)()), length);
    }
    if (!this.#many) return;
    const rows =
      (mostBetween(steps, stretch) + 1) * stepRows(count, this.#partials, steps[0]!.workgroups);
    memory.reserveMeeting(rows, length);
  }

  /** Most often they are those of the time before. */
  #setParameters(steps: readonly ReplicaStep[], stretch: Stretch): void {
    const { length } = steps;
    const known = this.#known;
    const isSame = known.length === length && steps.every(({ head }, k) => head === known[k]);
    if (isSame && stretch.steps === this.#knownSteps) return;
    this.#known = steps.map(({ head }) => head);
    this.#knownSteps = stretch.steps;
    const apart = { slot: stretch.steps + 1, list: 0, mostFast: 0, tau2: BEYOND_ALL };
    for (const [part, kernels] of [
      ['head', this.#head],
      ['tail', this.#tail],
    ] as const)
      for (const [n, kernel] of kernels.entries())
        kernel.setParameters(length, (record, at, k) => {
          const { kernel: own, params } = steps[k]![part][n]!;
          record.take(params, at);
          own.writeNoted?.(record.f32, record.u32, at >> 2, apart);
        });
    this.#many?.setParameters(length, (record, at, k) => {
      let next = at;
      for (const { kernel, params } of steps[k]!.between) {
        record.take(params, next);
        next += kernel.paramBytes;
      }
      const { build } = steps[k]!;
      build.kernel.writeParams(record, next, build.values);
    });
    this.#build.setParameters(length, (record, at, k) => {
      const { build } = steps[k]!;
      build.kernel.writeParams(record, at, { ...build.values, slot: stretch.steps });
    });
    this.#wrap.setParameters(length, (record, at, k) => {
      const { lists, grid } = steps[k]!;
      writeWrap(record.f32, record.u32, at >> 2, wrapValues(lists.frame!, grid.count));
    });
  }

  #wrapAll(steps: readonly ReplicaStep[]): void {
    const most = Math.max(...steps.map(({ grid }) => grid.count));
    this.#wrap.dispatch(steps.length, Math.ceil(most / this.#wrap.source.workgroupSize));
  }

  #take(steps: readonly ReplicaStep[], from: number, count: number, interval: number): void {
    const { workgroups } = steps[0]!;
    const builds = new Uint32Array(MOST_STEPS / 32);
    for (let step = 0; step < count; step += interval) builds[step >> 5]! |= 1 << (step & 31);
    const series = {
      ...{ steps: count, met: this.#memory.met, slot: from },
      buildsA: [...builds.subarray(0, 4)],
      buildsB: [...builds.subarray(4)],
    };
    const meetings = 1 + count * (this.#partials > 0 ? 2 : 1);
    this.#memory.met = (this.#memory.met + workgroups * meetings) >>> 0;
    this.#many!.dispatch(steps.length, workgroups, series);
  }
}

/** Buffers that a replica has by two names are in one place, such as values that one kernel combines and another reads. */
function placeIn(buffers: ReadonlyMap<string, GPUBuffer>): (name: string) => string {
  const first = new Map<GPUBuffer, string>();
  const places = new Map<string, string>();
  for (const [name, buffer] of buffers) {
    if (OWN.includes(name) || LISTS.includes(name) || name === 'b_position') continue;
    const known = first.get(buffer) ?? name;
    first.set(buffer, known);
    places.set(name, known);
  }
  return (name) => places.get(name) ?? name;
}

const writeWrap = paramWriter('wrap', paramSlots(wrapKernel(false).params));

/** @param at 0: before the steps, 1: after them */
const bufferOf = (
  { buffers, lists, positions }: ReplicaStep,
  name: string,
  at: 0 | 1,
): GPUBuffer => {
  if (name === 'b_position') return positions[at];
  if (name === 'counts' || name === 'reference') return lists[name].buffer;
  return name === 'entries' ? lists.chunks[0]!.entries.buffer : buffers.get(name)!;
};

/** Steps of a dispatch, so that lists are built in place no more often than they may, and at its beginning. */
function mostBetween(all: readonly ReplicaStep[], { steps, interval }: Stretch): number {
  const inPlace = Math.min(...all.map(({ mostInPlace }) => mostInPlace));
  const most = Math.min(inPlace * interval, Math.floor(MOST_STEPS / interval) * interval);
  return Math.max(1, Math.min(steps - 1, Math.max(interval, most)));
}
