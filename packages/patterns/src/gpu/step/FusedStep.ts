import type { Grid } from '@corpuscle/core';
import type { Prescription } from '../../box/Prescription.js';
import type { EngineStep } from '../../engine/Engine.js';
import type { DeviceSweep } from '../allPairs/DeviceSweep.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { PrescribedStrain } from '../box/PrescribedStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { Recordable } from '../calls/DeviceCall.js';
import { type GpuStepCall, isOf } from '../calls/GpuCall.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { Binner } from '../sort/Binning.js';
import type { UpdatesEntry, Updating } from '../speculation/entries.js';
import type { UpdateRecord } from '../speculation/SpeculationWindow.js';
import type { Boundary, Fusion } from './Fusion.js';
import { COMBINATION, type Group, groupsOf } from './groupsOf.js';
import { joiningRules, mostBindings } from './joiningRules.js';
import type { PairGroup } from './PairGroup.js';
import { PreparedGroup } from './PreparedGroup.js';
import { valuesFirst } from './valuesFirst.js';

/** Steps made call by call before they are fused: short runs need not compile other kernels. */
const FIRST = 4;
/** Rebuilds before their first part joins the kernel that moves particles, for the same reason. */
const FIRST_REBUILDS = 4;

/**
 * The calls of a step, fused once and recorded again and again. The end of one step and the beginning of the next may be one
 * kernel, or a few, so that the end of a step is left open until it is known what comes next:
 *
 *   run      head                 rest, and an open end
 *   run      end + head           rest, and an open end          few kernels where two steps meet
 *   other    end                                                 recorded before any other command
 */
export class FusedStep implements EngineStep, Updating {
  readonly grid: Grid;
  readonly calls: readonly GpuStepCall[];
  /** Its updates of the lists, and where the first is; -1 where there is none. */
  readonly updates: readonly ListUpdates[];
  readonly #updateAt: number;
  /** Its calls that prescribe a box. */
  readonly #prescribed: readonly { readonly call: PrescribedStrain; readonly isLate: boolean }[];
  readonly #runner: CallRunner;
  readonly #gpu: GpuDevice;
  /** Whether it is the same each time, but for the record of its update of the lists. */
  readonly isSame: boolean;
  /** Whether the device may rebuild lists at an interval it learns: to wait for it ends what is fused. */
  readonly #isAhead: boolean;
  #fusion: Fusion | null = null;
  /** What was fused for. */
  #strain: DeviceStrain | undefined;
  #isNear = true;
  /** Its sweeps over all pairs, which may be part of pair calls while lists have their pairs. */
  readonly #sweeps: readonly DeviceSweep[];
  /** The end of a step, captured and not recorded yet, and the boxes that its step prescribes. */
  #open: Boundary | null = null;
  #openBoxes: readonly Prescription[] = [];
  /** Whether it was recorded last with the open end of a step before it, and rebuilt no lists. */
  #wasUsual = false;
  #runs = 0;
  #rebuilds = 0;

  constructor(runner: CallRunner, grid: Grid, calls: readonly GpuStepCall[]) {
    this.#runner = runner;
    this.#gpu = runner.gpu;
    this.grid = grid;
    this.calls = calls;
    this.updates = calls.map(({ call }) => call).filter((call) => call.kind === 'lists');
    this.#sweeps = calls.map(({ call }) => call).filter((call) => call.kind === 'sweep');
    this.#updateAt = calls.findIndex(({ call }) => call.kind === 'lists');
    this.#prescribed = calls.flatMap(({ call }, k) =>
      call.kind === 'prescribed' ? [{ call, isLate: k > this.#updateAt }] : [],
    );
    this.isSame = this.updates.length === 1 && this.#prescribed.length === 0;
    this.#isAhead = this.updates.every(({ isAhead }) => isAhead);
  }

  get isShared(): boolean {
    return this.isSame && this.#runner.replica?.isIn === true;
  }

  run(times: number): number | Promise<number> {
    return this.#runner.runStep(this, times);
  }

  explain(): string {
    return this.#gpu.resident.explain();
  }

  close(): void {
    this.#fusion = null;
  }

  /** Whether the next run may be recorded as a whole; the first ones are made call by call. */
  mayRecord(): boolean {
    if (this.calls.some(({ call }) => (call as Recordable<unknown>).needsBox)) return false;
    return this.#isAhead && ++this.#runs > FIRST && !this.#gpu.accounts;
  }

  /** Boxes that its next run prescribes, in the order of its calls. */
  nextBoxes(): readonly Prescription[] {
    return this.#prescribed.map(({ call }) => call.next());
  }

  /**
   * Records the step.
   * @param updates what its updates of the lists are recorded by, in their order. @param boxes that it prescribes.
   */
  record(updates: readonly UpdateRecord[], boxes: readonly Prescription[]): void {
    const strain = strainOf(this.grid);
    const isNear = this.#areNear;
    if (strain !== this.#strain || isNear !== this.#isNear) {
      this.#gpu.stream.recordDeferred();
      this.#fusion = null;
      this.#strain = strain;
      this.#isNear = isNear;
    }
    const { boundary, head, rest } = this.fusion;
    // The open end of another step may have the same calls: it is recorded before they get the boxes of this one.
    if (this.#open === null) this.#gpu.stream.recordDeferred();
    this.#gpu.stream.batch.beginStep();
    const open = this.#open;
    if (open !== null) this.#gpu.stream.defer(null);
    this.#open = null;
    this.#prescribe(boxes, open ? this.#openBoxes : boxes);
    this.#groups(open?.groups ?? head, updates, 0);
    this.#prescribe(boxes);
    this.#groups(rest, updates, 1);
    this.#wasUsual = open !== null && !updates.some(({ rebuilds }) => rebuilds);
    if (boundary) this.#leaveOpen(boundary, boxes);
  }

  /** What it is recorded by. */
  get fusion(): Fusion {
    this.#fusion ??= this.#fuse();
    return this.#fusion;
  }

  /** Nothing has been recorded since where its end is still open. Strains of boxes are followed on the host. */
  repeat(again: UpdatesEntry, most: number): number {
    const open = this.#open;
    const isLike = this.isSame && !strainOf(this.grid) && this.#isNear === this.#areNear;
    const { window } = again.updates[0]!;
    const left = Math.min(most, window.updatesToRebuild);
    const builds = left === 0 && window.buildsInPlaceNext;
    if (open === null || !isLike || (left === 0 && !builds)) return 0;
    const { batch } = this.#gpu.stream;
    const voted = batch.seriesBuilds ? batch.repeatInSeries(Math.min(most, window.votesNext)) : 0;
    // Those that do nothing but note displacements; one alone where lists are built in place.
    const alike = builds ? 1 : Math.min(left, window.notesNext);
    const inSeries = voted || batch.repeatInSeries(alike);
    // Nobody votes in the last step.
    for (let k = 1; k <= inSeries; k++) again.next(k < voted);
    const isWhole = inSeries === 0 && !builds && this.#wasUsual;
    const whole = isWhole ? this.#repeatWhole(again, left) : 0;
    const isDue = inSeries > 0 && again.latest.rebuilds;
    if (isDue) this.#buildBeforeRest(again.latest);
    if (whole > 0 || isDue) this.#leaveOpen(open, this.#openBoxes);
    return inSeries + whole;
  }

  /** Builds lists in place after a series, before kernels that wait for them. */
  #buildBeforeRest(update: UpdateRecord): void {
    const { stream } = this.#gpu;
    const { rest } = this.fusion;
    stream.defer(null);
    if (rest.length > 0) stream.batch.takeBack();
    update.window.rebuild(update, null);
    this.#groups(rest, [], 0);
    this.#wasUsual = false;
  }

  /** Each time with parameters of its own. */
  #repeatWhole(again: UpdatesEntry, most: number): number {
    const { batch } = this.#gpu.stream;
    const positions = this.#runner.residency.ensurePositions(this.grid);
    const { exchanges } = this.fusion;
    let made = 0;
    for (; made < most && batch.mayRepeat; made++) {
      const { buffer, second } = positions;
      batch.repeat(again.next().values, exchanges ? [buffer, second] : []);
      if (exchanges) positions.swap();
    }
    return made;
  }

  /** Whether lists have all pairs of its sweeps. */
  get #areNear(): boolean {
    return this.#sweeps.every((sweep) => sweep.isNear);
  }

  /** @param before boxes of the step whose end is open, for calls after the update of the lists. */
  #prescribe(boxes: readonly Prescription[], before = boxes): void {
    for (let k = 0; k < boxes.length; k++) {
      const { call, isLate } = this.#prescribed[k]!;
      call.prescription = (isLate ? before : boxes)[k]!;
    }
  }

  #fuse(): Fusion {
    const rules = joiningRules(this.grid, mostBindings(this.#gpu, this.grid));
    const before = this.calls.slice(0, this.#updateAt + 1);
    const own = this.calls.slice(this.#updateAt + 1);
    // Those of the next step come after its pair call in any case.
    const after = before.some((one) => isOf(one, 'values')) ? own : valuesFirst(own, rules);
    const isNext = (one: GpuStepCall) => before.includes(one);
    const all = this.#ready(groupsOf([...after, ...before], rules), null);
    const first = all.findIndex(({ group }) => group.calls.some(isNext));
    const rest = first < 0 ? all : all.slice(0, first);
    const groups = first < 0 ? [] : all.slice(first);
    const open = new Set(groups.flatMap(({ group }) => group.calls));
    const ends = after.filter((one) => open.has(one));
    const last = rest.at(-1) ?? null;
    const exchanges = all.filter(({ fused }) => fused?.moves).length % 2 === 1;
    if (ends.length === 0 && !last?.sums) return { boundary: null, head: groups, rest, exchanges };
    // A pair call that is recorded by itself has a kernel already.
    const apart = groupsOf(ends, { ...rules, mayFollow: () => false });
    const combines = last?.sums && !apart[0]?.values;
    const tail = this.#ready(combines ? [COMBINATION, ...apart] : apart, last);
    const head = this.#ready(groupsOf(before, rules), null);
    return { boundary: { groups, tail }, head, rest, exchanges };
  }

  /** @param before the group before, whose sums the first one combines. */
  #ready(groups: readonly Group[], before: PreparedGroup | null): PreparedGroup[] {
    const made: PreparedGroup[] = [];
    for (const group of groups)
      made.push(new PreparedGroup(this.#runner, this.grid, group, made.at(-1) ?? before));
    return made;
  }

  /** Captures the end of the step, which is recorded with what comes next. */
  #leaveOpen(boundary: Boundary, boxes: readonly Prescription[]): void {
    const { groups, tail } = boundary;
    this.#gpu.enter(tail[0]!);
    groups[0]!.fused?.capture();
    for (let k = 0; k < tail.length; k++) tail[k]!.capture();
    this.#open = boundary;
    this.#openBoxes = boxes;
    this.#gpu.stream.defer(this.#end);
  }

  /** Records an open end by itself. */
  readonly #end = (): void => {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    const { operator, operation: name } = this.#gpu;
    this.#prescribe(this.#openBoxes);
    this.#groups(open.tail, [], 0);
    this.#gpu.enter({ operator, name });
  };

  /** @param first the number of their first update; those before come up to the first of all, those after it follow. */
  #groups(groups: readonly PreparedGroup[], updates: readonly UpdateRecord[], first: number): void {
    let next = first;
    for (let k = 0; k < groups.length; k++) {
      const ready = groups[k]!;
      const update = ready.group.lists ? updates[next++]! : null;
      this.#gpu.enter(ready);
      ready.record(update?.window.update(update) ?? null);
      if (update?.rebuilds) this.#rebuild(update, ready.fused);
      else ready.fused?.record();
    }
  }

  /** Rebuilds the lists. @param pairs is recorded before the next command, and may be told until then to bin the particles that it moves */
  #rebuild(update: UpdateRecord, pairs: PairGroup | null): void {
    const { stream } = this.#gpu;
    let waiting = pairs;
    const record = (): void => {
      waiting?.record();
      waiting = null;
    };
    const bin: Binner = (target) =>
      waiting !== null && ++this.#rebuilds > FIRST_REBUILDS && waiting.bin(target);
    stream.defer(record);
    update.window.rebuild(update, bin);
    stream.recordDeferred();
  }
}
