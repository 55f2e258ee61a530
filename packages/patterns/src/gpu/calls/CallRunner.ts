import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import type { StepCall } from '../../engine/Engine.js';
import { CallOrder } from '../../handles/CallOrder.js';
import { completed, noteSeen } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, NeighborUpdate } from '../../plan/calls.js';
import { strainOf } from '../box/DeviceStrain.js';
import { StrainWork } from '../box/StrainWork.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import { Neighbors } from '../neighbors/Neighbors.js';
import { KernelCache } from '../pattern/KernelCache.js';
import { UploadCache } from '../pattern/UploadCache.js';
import type { ReplicaMember } from '../replicas/ReplicaMember.js';
import { Residency } from '../residency/Residency.js';
import { Speculation } from '../speculation/Speculation.js';
import type { FusedStep } from '../step/FusedStep.js';
import type { Recordable } from './DeviceCall.js';
import type { CellProgram } from './JoinedCells.js';
import { PairPrograms } from './PairPrograms.js';

/** What is done, for whom, and on which grid if it is on one. */
type Named = Pick<Recordable<unknown>, 'name' | 'operator' | 'grid'>;

const NO_ARGUMENTS: CallArguments = { params: {}, asynchronous: true };

/**
 * Makes prepared calls in their turn: as part of the open speculation window where they go on with it, else after what they
 * have to wait for.
 *
 *   call ─▶ goes on with the window ─▶ recorded at once
 *        └▶ waits: earlier calls, the device far behind, a window to settle ─▶ recorded then
 */
export class CallRunner {
  /** The operator of a simulation that makes the next calls without one of their own. */
  operator = '';
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  readonly neighbors: Neighbors;
  readonly pairs: PairPrograms;
  /** Those of one functor alone. */
  readonly cells = new KernelCache<CellProgram>();
  /** Where its simulation takes steps together with others on one device. */
  replica: ReplicaMember | null = null;
  /** Lists of rows. */
  readonly rows = new UploadCache();
  /** Steps that wait for no answer of the device. */
  readonly speculation: Speculation;
  readonly strains: StrainWork;
  readonly #order = new CallOrder();
  /** Why lists of some step were not made, until calls are over that were made before that was known. */
  #listFailure: { readonly error: unknown; isTold: boolean } | null = null;

  /** @param deterministic runs to the same bits, whatever results they are asked for on the way. */
  constructor(gpu: GpuDevice, deterministic: boolean) {
    this.gpu = gpu;
    this.residency = new Residency(gpu);
    this.neighbors = new Neighbors(gpu, this.residency);
    this.pairs = new PairPrograms(gpu);
    this.strains = new StrainWork(this);
    this.speculation = new Speculation(this, deterministic);
    this.gpu.onFailure((error) => this.speculation.abandon(error));
  }

  /** Nobody awaits an update ahead: the next call throws what it has failed with, as it would see lists of other positions. */
  #failedAhead(error: unknown): void {
    noteSeen(error);
    this.#listFailure ??= { error, isTold: false };
  }

  #check(): void {
    this.gpu.check();
    const failure = this.#listFailure;
    if (!failure) return;
    if (this.#order.idle) this.#listFailure = null;
    if (failure.isTold) return;
    failure.isTold = true;
    throw failure.error;
  }

  run<R>(call: Recordable<R>, args: CallArguments): PatternHandle<R> {
    this.#check();
    const mayStart = this.#order.idle && !this.gpu.stream.isFarAhead;
    if (!mayStart || needsBox(call)) return this.#runInTurn(call, args);
    this.#enter(call, call.grid?.domain);
    // Nearly all of a run, many a step. The rest is in a function of its own, since closures cost their callers, made or not.
    if (this.speculation.continues(call.grid)) return this.speculation.call(call, args);
    return this.#runInTurn(call, args);
  }

  #runInTurn<R>(call: Recordable<R>, args: CallArguments): PatternHandle<R> {
    const { speculation } = this;
    return this.#inOrder(
      call,
      () => (needsBox(call) ? this.strains.settle(call.grid!) : speculation.before(call.grid)),
      () => (speculation.covers(call.grid) ? speculation.call(call, args) : call.record(args)),
    );
  }

  runSettled<R>(call: Recordable<R>, args: CallArguments): PatternHandle<R> {
    return this.#inOrder(
      call,
      () => this.speculation.settle(),
      () => call.record(args),
    );
  }

  /** What is done with values, or on a grid, and no call: part of the open window, if there is one. */
  runOther<R>(
    name: string,
    record: () => PatternHandle<R>,
    grid: Grid | null = null,
  ): PatternHandle<R> {
    const { operator } = this;
    return this.run({ name, operator, grid, record }, NO_ARGUMENTS);
  }

  /** As a whole where the step goes on with the open window; else its calls one by one. @returns how often it was made */
  runStep(step: FusedStep, most: number): number | Promise<number> {
    const made = this.#runStep(step, most);
    return this.replica === null ? made : this.replica.counted(made);
  }

  #runStep(step: FusedStep, most: number): number | Promise<number> {
    this.#check();
    if (!this.#order.idle) return this.#order.settled().then(() => this.#runStep(step, most));
    if (this.gpu.stream.isFarAhead)
      return this.gpu.stream.caughtUp().then(() => this.#runStep(step, most));
    const { grid } = step;
    this.residency.setBox(grid, this.residency.boxFor(grid, grid.domain));
    const may = step.mayRecord();
    if (may && this.replica?.takes(step)) return this.#runTogether(this.replica, step, most);
    if (may && this.speculation.mayRecord(step)) return this.speculation.steps(step, most);
    if (may && step.updates.length === 0 && !this.speculation.active) {
      step.record([], step.nextBoxes());
      return 1;
    }
    return this.runOneByOne(step.calls);
  }

  /** Other calls wait meanwhile: buffers of the replica are in use. */
  async #runTogether(replica: ReplicaMember, step: FusedStep, most: number): Promise<number> {
    let made = 0;
    await this.inOrder(async () => {
      made = await replica.run(step, most);
    });
    await this.#order.settled();
    return made || this.runOneByOne(step.calls);
  }

  /** Makes calls in their order, once; a promise where they have to wait. */
  runOneByOne(calls: readonly StepCall[]): number | Promise<number> {
    for (let k = 0; k < calls.length; k++) calls[k]!.call.run(calls[k]!.args);
    return this.idle ? 1 : this.started().then(() => 1);
  }

  /** Part of a window where it may be; else the device tells whether the lists are good. */
  runUpdate(call: ListUpdates): PatternHandle<NeighborUpdate> {
    const { speculation } = this;
    const { plan, grid } = call;
    let update: NeighborUpdate | undefined;
    const updateNow = async (before: Promise<void> | null): Promise<void> => {
      await before;
      if (call.isAhead && speculation.covers(grid)) return;
      try {
        await this.strains.settle(grid);
        update = await this.neighbors.update(plan);
      } catch (error) {
        if (call.isAhead) this.#failedAhead(error);
        throw error;
      }
    };
    return this.#inOrder(
      call,
      () => {
        if (!call.isAhead) return updateNow(speculation.settle());
        const before = speculation.beforeUpdate(call);
        return before && updateNow(before);
      },
      () => {
        if (!update) return speculation.update(call);
        plan.onUpdate?.(update);
        return completed(update);
      },
    );
  }

  /** Makes the present box of a grid the reference of its strain. */
  settleStrain(grid: Grid): Promise<void> {
    return this.#inTurn('settle the box', grid, () => this.strains.settle(grid));
  }

  /** Makes the host's table of cells that of the last sort, if it was made here. */
  fetchCells(grid: Grid): Promise<void> {
    return this.#inTurn('copy cells to host', null, async () => {
      await this.speculation.settle();
      await this.neighbors.fetchCells(grid);
    });
  }

  newestOnHost(blocks: readonly FieldBlock[], grid: Grid | null = null): Promise<void> {
    return this.#inTurn('copy to host', grid, async () => {
      await this.speculation.prove();
      const strain = grid && (await this.strains.know(grid));
      // All are asked for before the first has arrived: one answer of the device takes as long as many.
      await Promise.all(
        blocks.map((block) =>
          this.residency.download(block, block.spec.name === 'position' ? strain : null),
        ),
      );
    });
  }

  startAnew(grid: Grid): Promise<void> {
    return this.#inTurn('start anew', null, async () => {
      await this.speculation.settle();
      this.speculation.forget(grid);
      this.neighbors.forget(grid);
      this.residency.forget(grid);
    });
  }

  async #inTurn(name: string, grid: Grid | null, task: () => Promise<void> | null): Promise<void> {
    await this.#inOrder({ name, operator: this.operator, grid }, task, () => completed());
  }

  /** Does something in the order of calls. @param task null where it is done already. */
  inOrder(task: () => Promise<void> | null): PatternHandle<void> {
    return this.#order.run(task, () => completed());
  }

  /** False while calls wait to be started. */
  get idle(): boolean {
    return this.#order.idle;
  }
  /** Resolves when every call made so far has been started. */
  started(): Promise<void> {
    return this.#order.settled();
  }

  /** Waits until the device has done all that was asked of it. */
  async finished(): Promise<void> {
    this.inOrder(() => this.speculation.prove());
    await this.#order.settled();
    await this.gpu.stream.finished();
    this.#check();
  }

  /** What follows is done for a call, in a box. */
  #enter(call: Named, box: Domain | undefined): void {
    this.gpu.enter(call);
    const { grid } = call;
    if (grid) this.residency.setBox(grid, this.residency.boxFor(grid, box!));
  }

  /** Makes a call in its turn and in the name of the operator that prepared it, whatever runs meanwhile. */
  #inOrder<R>(
    call: Named,
    before: () => Promise<void> | null,
    start: () => PatternHandle<R>,
  ): PatternHandle<R> {
    const { stream } = this.gpu;
    const box = call.grid?.domain;
    this.#check();
    const known = this.#listFailure;
    return this.#order.run(
      () => {
        this.#enter(call, box);
        // Without a limit, calls that are not awaited would pile up in the driver.
        return stream.isFarAhead ? stream.caughtUp().then(() => before() ?? undefined) : before();
      },
      () => {
        const failure = this.#listFailure;
        if (failure && failure !== known) throw failure.error;
        this.#enter(call, box);
        return start();
      },
    );
  }
}

/** Whether the present box must be the reference before a call. */
const needsBox = (call: Recordable<unknown>): boolean =>
  call.needsBox === true && call.grid !== null && strainOf(call.grid)?.isMoved === true;
