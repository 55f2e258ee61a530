import { type FieldBlock, type Grid, imageFlags } from '@corpuscle/core';
import type { CallRunner } from '../calls/CallRunner.js';
import { type CapturedDispatch, isOfRows } from '../device/DispatchCapture.js';
import type { GpuKernel, KernelParams } from '../device/GpuKernel.js';
import type { DeviceLists } from '../neighbors/DeviceLists.js';
import { votesBeyond } from '../neighbors/fastLimits.js';
import { isClosed } from '../neighbors/listFrame.js';
import type { PositionFrame } from '../residency/PositionFrame.js';
import { type ResidentTwin, twinOf } from '../resident/ResidentTwin.js';
import { NEXT_POSITIONS } from '../resident/stageText.js';
import { type CapturedStep, captureStep } from '../step/captureStep.js';
import type { FusedStep } from '../step/FusedStep.js';

/** The step of a simulation as dispatches that others make too, and what it works on. */
export interface ReplicaStep extends CapturedStep {
  readonly grid: Grid;
  readonly lists: DeviceLists;
  /** What takes many of the dispatches `between` two updates of lists; null where there is one step only. */
  readonly twin: ResidentTwin | null;
  /** What builds its lists in place. */
  readonly build: { readonly kernel: GpuKernel; readonly values: KernelParams };
  readonly workgroups: number;
  /** Its buffers by name; those of image flags are `flags`. Values of its context are `values`. */
  readonly buffers: ReadonlyMap<string, GPUBuffer>;
  /** Where its positions are, and where they are afterwards. */
  readonly positions: readonly [from: GPUBuffer, to: GPUBuffer];
  /** The same for steps that one dispatch may take. */
  readonly key: string;
}

/** A step as it was captured, and when that was. */
interface Kept {
  readonly step: ReplicaStep;
  readonly sortVersion: number;
  readonly capacity: number;
  readonly frame: PositionFrame | null;
  /** Blocks that it writes. */
  readonly written: readonly FieldBlock[];
}

/** Steps that were captured: those of one simulation differ only where lists have been built otherwise. */
export class ReplicaStepCache {
  readonly #runner: CallRunner;
  readonly #kept = new WeakMap<FusedStep, Map<boolean, Kept>>();

  constructor(runner: CallRunner) {
    this.#runner = runner;
  }

  /** Captures a step, see `replicaStep`. */
  of(step: FusedStep, isLong: boolean): ReplicaStep | null {
    const runner = this.#runner;
    const { grid } = step;
    const byLength = this.#kept.get(step) ?? new Map<boolean, Kept>();
    this.#kept.set(step, byLength);
    const kept = byLength.get(isLong);
    if (kept && this.#isCurrent(kept)) return this.#again(kept);
    const blocks = [...grid.blocks.values()];
    const versions = blocks.map(({ deviceVersion }) => deviceVersion);
    const made = replicaStep(runner, step, isLong);
    const written = blocks.filter(({ deviceVersion }, k) => deviceVersion !== versions[k]);
    const { sortVersion } = grid;
    if (made) {
      const { capacity, frame } = made.lists;
      byLength.set(isLong, { step: made, sortVersion, capacity, frame, written });
    }
    return made;
  }

  #isCurrent({ step, sortVersion, capacity, frame }: Kept): boolean {
    const { grid, lists, buffers } = step;
    const { residency } = this.#runner;
    const isSorted = grid.sortVersion === sortVersion && lists.sortVersion === sortVersion;
    if (!isSorted || lists.capacity !== capacity || lists.frame !== frame) return false;
    if (grid.blocks.has(imageFlags.name) !== buffers.has('flags')) return false;
    return ![...grid.blocks.values()].some((block) => residency.isStale(block));
  }

  /** It counts as made once more. */
  #again({ step, written }: Kept): ReplicaStep {
    const { residency } = this.#runner;
    const position = residency.ensurePositions(step.grid);
    const from = position.buffer;
    if (step.positions[0] !== step.positions[1]) {
      position.padSecond();
      position.swap();
    }
    for (const block of written) residency.written(block);
    return { ...step, positions: [from, position.buffer] };
  }
}

/**
 * Captures a step: nothing is recorded, but it counts as made, so that it must be made, or `forget` called.
 * @returns null where it cannot be part of a dispatch with others
 */
function replicaStep(runner: CallRunner, step: FusedStep, isLong: boolean): ReplicaStep | null {
  const { gpu, neighbors, pairs, residency } = runner;
  const { grid } = step;
  const lists = neighbors.lists(grid);
  const lanes = pairs.lanesFor(grid.count);
  const isListed = lists && neighbors.staleReason(step.updates[0]!.plan) === null;
  if (!isListed || neighbors.mostInPlace(grid, lanes) === 0) return null;
  // Nothing is sorted: particles would leave the cells of an open box behind.
  if (!isClosed(lists.frame!.domain)) return null;
  if (gpu.reals.state !== 'f32' || !gpu.resident.holdsValues) return null;
  const position = residency.ensurePositions(grid);
  const from = position.buffer;
  const values = { slot: 0, list: 0, mostFast: 0, tau2: votesBeyond(lists.effectiveSkin) ** 2 };
  const note = { buffers: [lists.reference.buffer, lists.reference.buffer], values };
  const captured = captureStep(gpu, step.fusion, note, isLong);
  const { head, between, tail } = captured;
  const twin = isLong ? twinBetween(runner, between) : null;
  const all = [...head, ...between, ...tail];
  if (
    (isLong && !twin) ||
    !all.every(({ kernel }) => isOfRows(kernel)) ||
    [...head, ...tail].some(exchanges)
  ) {
    if (position.buffer !== from) position.swap();
    return null;
  }
  const buffers = new Map<string, GPUBuffer>();
  for (const { kernel, buffers: bound } of all)
    for (const [n, { name }] of kernel.source.buffers.entries())
      buffers.set(name, bound[n] ?? gpu.values.buffer);
  buffers.set('values', gpu.values.buffer);
  const flags = grid.blocks.get(imageFlags.name);
  if (flags) buffers.set('flags', residency.ensure(flags, grid.count).buffer);
  const build = neighbors.builder.inPlace.prepared(lists, lanes);
  const kernels = [...all.map(({ kernel }) => kernel), build.kernel];
  const workgroups = all.map(({ groups }) => groups);
  return {
    ...{ ...captured, grid, lists, twin, build, buffers },
    workgroups: Math.ceil((grid.count * lanes) / build.kernel.workgroupSize),
    positions: [from, position.buffer],
    key: `${between.length} ${workgroups.join()} ${kernels.map(({ number }) => number).join()} ${flags ? 'flags' : ''}`,
  };
}

/** It will not be made. */
export function forget(runner: CallRunner, { grid, positions }: ReplicaStep): void {
  const position = runner.residency.ensurePositions(grid);
  if (position.buffer !== positions[0]) position.swap();
}

function twinBetween(
  { gpu }: CallRunner,
  between: readonly CapturedDispatch[],
): ResidentTwin | null {
  const kernels = between.map(({ kernel }) => kernel);
  if (kernels.some(({ stage }) => stage === null) || !kernels.at(-1)?.twins) return null;
  return twinOf(
    gpu.resident,
    kernels,
    between.map(({ groups }) => groups),
  );
}

/** Whether a kernel moves particles to the other buffer, which replicas only do between two updates of lists. */
const exchanges = ({ kernel }: CapturedDispatch): boolean =>
  kernel.source.buffers.some(({ name }) => name === NEXT_POSITIONS);
