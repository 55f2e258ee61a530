import type { Domain, Grid } from '@corpuscle/core';
import type { EngineStep } from '../../engine/Engine.js';
import type { DeviceSweep } from '../allPairs/DeviceSweep.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { PrescribedStrain } from '../box/PrescribedStrain.js';
import type { CallRunner } from '../calls/CallRunner.js';
import type { Recordable } from '../calls/DeviceCall.js';
import type { GpuStepCall } from '../calls/GpuCall.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { BinTarget } from '../sort/Binning.js';
import type { Repetition, Updating } from '../speculation/entries.js';
import type { UpdateRecord } from '../speculation/SpeculationWindow.js';
import { type Boundary, Fusion } from './Fusion.js';
import type { PairGroup } from './PairGroup.js';
import type { PreparedGroup } from './PreparedGroup.js';

const NO_BOXES: readonly Domain[] = [];
const NONE: readonly GPUBuffer[] = [];
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
 *
 * Steps of other calls may come next: where a barostat acts in every tenth step, steps of several kinds take turns.
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
  readonly #isSame: boolean;
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
  #openBoxes = NO_BOXES;
  /** Whether it was recorded last after itself, and rebuilt no lists then. */
  #isAfterItself = false;
  #hasRebuilt = false;
  #runs = 0;
  #rebuilds = 0;
  readonly #recordEnd = (): void => this.#end();
  /** What waits to be recorded, and where it bins. */
  #waiting: PairGroup | null = null;
  #bin: BinTarget | null = null;
  readonly #recordDeferred = (): void => this.#flush();

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
    this.#isSame = this.updates.length === 1 && this.#prescribed.length === 0;
    this.#isAhead = this.updates.every(({ isAhead }) => isAhead);
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
  nextBoxes(): readonly Domain[] {
    const prescribed = this.#prescribed;
    return prescribed.length === 0 ? NO_BOXES : prescribed.map(({ call }) => call.next());
  }

  /**
   * Records the step.
   * @param updates what its updates of the lists are recorded by, in their order. @param boxes that it prescribes.
   */
  record(updates: readonly UpdateRecord[], boxes: readonly Domain[]): void {
    const strain = strainOf(this.grid);
    const isNear = this.#areNear;
    if (strain !== this.#strain || isNear !== this.#isNear) {
      this.#gpu.stream.recordDeferred();
      this.#fusion = null;
      this.#strain = strain;
      this.#isNear = isNear;
    }
    this.#fusion ??= new Fusion(this.#runner, this.grid, this.calls, this.#updateAt);
    const { boundary, head, rest } = this.#fusion;
    const before = this.#runner.openStep;
    const meeting = before === null ? null : before.#meet(this);
    this.#isAfterItself = meeting !== null && before === this;
    this.#gpu.stream.batch.beginStep();
    this.#prescribe(boxes, this.#isAfterItself ? this.#openBoxes : boxes);
    const at = this.#groups(meeting ?? head, updates, 0);
    this.#prescribe(boxes);
    this.#groups(rest, updates, at);
    this.#hasRebuilt = updates.some(({ rebuilds }) => rebuilds);
    if (boundary) this.#leaveOpen(boundary, boxes);
  }

  /** Nothing has been recorded since where its end is still open. Strains of boxes are followed on the host. */
  repeat(again: Repetition): number {
    const open = this.#open;
    if (open === null || !this.#isAfterItself) return 0;
    if (!this.#isSame || strainOf(this.grid) || this.#isNear !== this.#areNear) return 0;
    // A build comes before kernels of the next step, where these wait already.
    if (again.builds && this.#fusion!.rest.length > 0) return 0;
    const { stream } = this.#gpu;
    const inSeries = stream.batch.repeatInSeries(Math.min(again.most, again.alike));
    for (let k = 0; k < inSeries; k++) again.next();
    const whole = inSeries > 0 || again.builds || this.#hasRebuilt ? 0 : this.#repeatWhole(again);
    if (inSeries > 0 && again.builds) {
      stream.defer(null);
      again.build();
    }
    if (whole > 0 || again.builds) this.#leaveOpen(open, this.#openBoxes);
    return inSeries + whole;
  }

  /** Each time with parameters of its own. */
  #repeatWhole(again: Repetition): number {
    const { batch } = this.#gpu.stream;
    const positions = this.#runner.residency.ensurePositions(this.grid);
    const { exchanges } = this.#fusion!;
    let made = 0;
    for (; made < again.most && batch.mayRepeat; made++) {
      const { buffer, second } = positions;
      batch.repeat(again.next().values, exchanges ? [buffer, second] : NONE);
      if (exchanges) positions.swap();
    }
    return made;
  }

  /** Whether lists have all pairs of its sweeps. */
  get #areNear(): boolean {
    return this.#sweeps.every((sweep) => sweep.isNear);
  }

  /** @param before boxes of the step whose end is open, for calls after the update of the lists. */
  #prescribe(boxes: readonly Domain[], before = boxes): void {
    for (let k = 0; k < boxes.length; k++) {
      const { call, isLate } = this.#prescribed[k]!;
      call.box = (isLate ? before : boxes)[k]!;
    }
  }

  /** Groups from its open end to the first update of the next step; null where the end has been recorded by itself. */
  #meet(next: FusedStep): readonly PreparedGroup[] | null {
    const groups = next === this ? this.#open!.groups : this.#groupsInto(next);
    if (groups) {
      this.#gpu.stream.defer(null);
      this.#leave();
    } else this.#gpu.stream.recordDeferred();
    return groups;
  }

  #groupsInto(next: FusedStep): readonly PreparedGroup[] | null {
    const [own, others] = [this.#fusion, next.#fusion];
    const prescribes = this.#prescribed.length + next.#prescribed.length > 0;
    if (!own || !others || prescribes || next.grid !== this.grid || next.#updateAt < 0) return null;
    return own.meet(others);
  }

  /** Its end is recorded, or is about to be. */
  #leave(): void {
    this.#open = null;
    this.#runner.openStep = null;
  }

  /** Captures the end of the step, which is recorded with what comes next. */
  #leaveOpen(boundary: Boundary, boxes: readonly Domain[]): void {
    const { groups, tail } = boundary;
    this.#gpu.enter(tail[0]!);
    groups[0]!.fused?.capture();
    for (let k = 0; k < tail.length; k++) tail[k]!.capture();
    this.#open = boundary;
    this.#openBoxes = boxes;
    this.#runner.openStep = this;
    this.#gpu.stream.defer(this.#recordEnd);
  }

  /** Records an open end by itself. */
  #end(): void {
    const open = this.#open;
    if (open === null) return;
    this.#leave();
    const { operator, operation: name } = this.#gpu;
    this.#prescribe(this.#openBoxes);
    this.#groups(open.tail, [], 0);
    this.#gpu.enter({ operator, name });
  }

  /** @returns the number of the next update. */
  #groups(groups: readonly PreparedGroup[], updates: readonly UpdateRecord[], at: number): number {
    let next = at;
    for (let k = 0; k < groups.length; k++) {
      const ready = groups[k]!;
      const update = ready.group.lists ? updates[next++]! : null;
      this.#gpu.enter(ready);
      ready.record(update?.window.update(update) ?? null);
      if (ready.fused) this.#wait(ready.fused);
      if (update) this.#update(update);
      this.#flush();
    }
    return next;
  }

  /** Rebuilds the lists if they are due; the kernel that moved the particles may bin them on the way. */
  #update(update: UpdateRecord): void {
    if (!update.rebuilds) return;
    const bin = (_grid: Grid, target: BinTarget): boolean => {
      const pairs = this.#waiting;
      if (!pairs || ++this.#rebuilds <= FIRST_REBUILDS || !pairs.mayBin) return false;
      this.#bin = target;
      return true;
    };
    update.window.rebuild(update, { bin });
  }

  /** Something is recorded before the next command, and may be told to bin until then. */
  #wait(pairs: PairGroup): void {
    this.#waiting = pairs;
    this.#bin = null;
    this.#gpu.stream.defer(this.#recordDeferred);
  }

  #flush(): void {
    const pairs = this.#waiting;
    if (pairs === null) return;
    this.#waiting = null;
    this.#gpu.stream.defer(null);
    pairs.record(this.#bin);
  }
}
