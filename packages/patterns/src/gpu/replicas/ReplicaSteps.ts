import { FieldBlock } from '@corpuscle/core';
import type { CapturedDispatch } from '../device/DispatchCapture.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { KernelBuffer } from '../device/GpuKernel.js';
import { paramSlots } from '../device/paramSlots.js';
import { paramWriter } from '../device/paramWriter.js';
import { BEYOND_ALL } from '../neighbors/DisplacementRecords.js';
import { RECORD_WORDS } from '../neighbors/displacementText.js';
import { meetingBuffer } from '../resident/meetingText.js';
import { HELD_VALUES, partialsOf, stepRows } from '../resident/residentSource.js';
import { NEXT_POSITIONS } from '../resident/stageText.js';
import type { CapturedStep } from '../step/captureStep.js';
import { manySteps } from './manySteps.js';
import { Participants, ReplicaKernel, type ReplicaSetting } from './ReplicaKernel.js';
import type { ReplicaMemory } from './ReplicaMemory.js';
import type { ReplicaSlot } from './ReplicaSlot.js';
import type { ReplicaStep } from './ReplicaStep.js';
import { rowBytes } from './replicaSource.js';
import { wrapKernel, wrapValues } from './wrapKernel.js';

/** Buffers that steps fill by themselves; lists are those of the replicas. */
const LISTS = ['counts', 'entries', 'reference'];
export const OWN = ['displacements', 'partials', meetingBuffer.name, NEXT_POSITIONS, 'replicas'];

/** Steps of all replicas: how many, and how many of them a dispatch takes. */
export interface Stretch {
  readonly steps: number;
  readonly together: number;
}

/** A replica that takes part, and its step. */
export interface Taker {
  readonly slot: ReplicaSlot;
  readonly step: ReplicaStep;
}

/**
 * Steps of one kind, which replicas take together in memory of all:
 *
 *   take buffers, keep a copy │ head │ wrap │ build ┄ step ┄ step ┄ … │ wrap │ … │ build │ tail │ read records
 *
 * Workgroups of a replica vote for its next lists, see `residentSource`. Steps are made again from the copy where a particle was too
 * far outside of the box for that: fewer together.
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
  /** The replicas that take part, and the steps that parameters were given for last. */
  #who: Participants | null = null;
  #known: readonly CapturedStep['head'][] = [];
  #knownSteps = 0;
  /** Buffers of replicas, those of them that are written, and those of these of which a copy is kept. */
  readonly #taken: readonly KernelBuffer[];
  readonly #written: readonly KernelBuffer[];
  readonly #kept: readonly string[];
  /** What steps need besides. */
  readonly #displacements: KernelBuffer;
  readonly #sums: KernelBuffer | undefined;

  constructor(shared: Omit<ReplicaSetting, 'place'>, step: ReplicaStep) {
    const { twin, build, buffers, head, tail } = step;
    const setting: ReplicaSetting = { ...shared, place: placeIn(buffers) };
    this.#gpu = shared.gpu;
    this.#memory = shared.memory;
    const each = (dispatches: readonly CapturedDispatch[], part: string) =>
      dispatches.map(({ kernel }, k) => new ReplicaKernel(setting, kernel.source, `${part} ${k}`));
    this.#head = each(head, 'head');
    this.#tail = each(tail, 'tail');
    const many = twin && manySteps(twin, build.kernel);
    this.#many = many && new ReplicaKernel(setting, many, 'steps');
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
    const used = [...byName.values()];
    this.#displacements = byName.get('displacements')!;
    this.#sums = byName.get('partials');
    this.#taken = used.filter(({ name }) => !OWN.includes(name));
    this.#written = this.#taken.filter(({ access }) => access === 'read_write');
    this.#kept = this.#written.map(({ name }) => name).filter((name) => !LISTS.includes(name));
  }

  get #kernels(): readonly ReplicaKernel[] {
    const many = this.#many ? [this.#many] : [];
    return [...this.#head, ...many, ...this.#tail, this.#wrap, this.#build];
  }

  /** Whether the device can bind what its kernels need. */
  get fits(): boolean {
    return this.#kernels.every(({ fits }) => fits);
  }

  /** Makes room, and gives the replicas their parameters: before anything of them is taken. */
  prepare(takers: readonly Taker[], stretch: Stretch): void {
    const known = this.#known;
    const isSame =
      known.length === takers.length &&
      takers.every(({ slot, step }, k) => step.head === known[k] && slot === this.#who?.slots[k]);
    if (!isSame) {
      this.#who = new Participants(takers.map(({ slot }) => slot));
      this.#reserve(takers);
    }
    if (!isSame || stretch.steps !== this.#knownSteps) this.#setParameters(takers, stretch);
    this.#known = takers.map(({ step }) => step.head);
    this.#knownSteps = stretch.steps;
  }

  /** Takes buffers of the replicas, and keeps a copy of what they hold. */
  begin(takers: readonly Taker[]): void {
    for (const { slot } of takers) slot.submit();
    for (const one of this.#taken) {
      const isKept = !LISTS.includes(one.name);
      for (const { slot, step } of takers) slot.take(one, bufferOf(step, one.name, 0), isKept);
    }
    this.#memory.keep(this.#kept);
  }

  /** The steps were good: what they have left is the newest. */
  end(takers: readonly Taker[]): void {
    for (const { name } of this.#written)
      for (const { slot, step } of takers) slot.wrote(name, bufferOf(step, name, 1));
  }

  /** They were not, and are not made again here: lists are those of no step. */
  undo(takers: readonly Taker[]): void {
    this.#memory.putBack(this.#kept);
    for (const { step } of takers) step.lists.sortVersion = -1;
  }

  /** Makes steps of all replicas. @param isAgain from the copy. @returns the records of their list updates, of all replicas together */
  async run(takers: readonly Taker[], stretch: Stretch, isAgain: boolean): Promise<Uint32Array> {
    const { stream } = this.#gpu;
    const who = this.#who!;
    const [{ step }] = takers as [Taker];
    const { head, tail, workgroups } = step;
    const displacements = this.#reserveOwn(takers, stretch);
    stream.clear(displacements);
    if (isAgain) this.#memory.putBack(this.#kept);
    for (const [k, kernel] of this.#head.entries()) kernel.dispatch(who, head[k]!.groups);
    const between = stretch.steps - 1;
    const { together } = stretch;
    for (let from = 0; from < between; from += together) {
      this.#wrapAll(takers);
      this.#take(workgroups, from, Math.min(together, between - from));
    }
    this.#wrapAll(takers);
    this.#build.dispatch(who, workgroups);
    for (const [k, kernel] of this.#tail.entries()) kernel.dispatch(who, tail[k]!.groups);
    const readback = stream.read(displacements, 4 * RECORD_WORDS * (stretch.steps + 2));
    readback.flush();
    return new Uint32Array(await readback.data);
  }

  /** Room for what replicas have. */
  #reserve(takers: readonly Taker[]): void {
    const most = (of: (step: ReplicaStep) => number): number =>
      Math.max(...takers.map(({ step }) => of(step)));
    const count = most(({ grid }) => grid.count) + FieldBlock.PADDING;
    const own: Readonly<Record<string, () => number>> = {
      b_position: () => count,
      counts: () => count,
      reference: () => count,
      entries: () => most(({ lists }) => (lists.stride * lists.capacity) / 4),
      values: () => HELD_VALUES,
    };
    for (const one of [...this.#taken, ...(this.#sums ? [this.#sums] : [])]) {
      const bound = () => most(({ buffers }) => buffers.get(one.name)!.size) / rowBytes(one);
      this.#memory.reserve(one, Math.floor((own[one.name] ?? bound)()));
    }
  }

  /** Room for what is there during steps only. @returns records of list updates */
  #reserveOwn(takers: readonly Taker[], stretch: Stretch): GPUBuffer {
    const memory = this.#memory;
    const { name } = this.#displacements;
    memory.reserveShared(this.#displacements, RECORD_WORDS * (stretch.steps + 2));
    if (this.#many) {
      const count = Math.max(...takers.map(({ step }) => step.grid.count)) + FieldBlock.PADDING;
      const rows = stepRows(count, this.#partials, takers[0]!.step.workgroups);
      memory.reserveMeeting((Math.min(stretch.together, stretch.steps) + 1) * rows);
    }
    return memory.of(name);
  }

  #setParameters(takers: readonly Taker[], stretch: Stretch): void {
    const who = this.#who!;
    const steps = takers.map(({ step }) => step);
    const apart = { slot: stretch.steps + 1, list: 0, mostFast: 0, tau2: BEYOND_ALL };
    for (const [part, kernels] of [
      ['head', this.#head],
      ['tail', this.#tail],
    ] as const)
      for (const [n, kernel] of kernels.entries())
        kernel.setParameters(who, (record, at, k) => {
          const { kernel: own, params } = steps[k]![part][n]!;
          record.take(params, at);
          own.writeNoted?.(record.f32, record.u32, at >> 2, apart);
        });
    this.#many?.setParameters(who, (record, at, k) => {
      let next = at;
      for (const { kernel, params } of steps[k]!.between) {
        record.take(params, next);
        next += kernel.paramBytes;
      }
      const { build } = steps[k]!;
      build.kernel.writeParams(record, next, build.values);
    });
    this.#build.setParameters(who, (record, at, k) => {
      const { build } = steps[k]!;
      build.kernel.writeParams(record, at, { ...build.values, slot: stretch.steps });
    });
    this.#wrap.setParameters(who, (record, at, k) => {
      const { lists, grid } = steps[k]!;
      writeWrap(record.f32, record.u32, at >> 2, wrapValues(lists.frame!, grid.count));
    });
  }

  #wrapAll(takers: readonly Taker[]): void {
    const most = Math.max(...takers.map(({ step }) => step.grid.count));
    this.#wrap.dispatch(this.#who!, Math.ceil(most / this.#wrap.source.workgroupSize));
  }

  /** Lists are built before the first of them. */
  #take(workgroups: number, from: number, count: number): void {
    const meetings = 1 + count * (this.#partials > 0 ? 2 : 1);
    const series = {
      ...{ steps: count, met: this.#memory.meet(workgroups * meetings), slot: from },
      ...{ buildsA: [1, 0, 0, 0], buildsB: [0, 0, 0, 0] },
    };
    this.#many!.dispatch(this.#who!, workgroups, series);
  }
}

/** Buffers that a replica has by two names are in one place, such as values that one kernel combines and another reads. */
function placeIn(buffers: ReadonlyMap<string, GPUBuffer>): (name: string) => string {
  const first = new Map<GPUBuffer, string>();
  const places = new Map<string, string>();
  for (const [name, buffer] of buffers) {
    if (OWN.includes(name) || LISTS.includes(name) || name === 'b_position') continue;
    const known = buffer === buffers.get('values') ? 'values' : (first.get(buffer) ?? name);
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
