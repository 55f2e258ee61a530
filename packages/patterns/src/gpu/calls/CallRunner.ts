import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import type { StepCall } from '../../engine/Engine.js';
import { CallOrder } from '../../handles/CallOrder.js';
import { completed } from '../../handles/handles.js';
import type { PatternHandle } from '../../handles/PatternHandle.js';
import type { CallArguments, NeighborUpdate, Totals } from '../../plan/calls.js';
import { type DeviceStrain, strainOf } from '../box/DeviceStrain.js';
import type { FollowStrain } from '../box/FollowStrain.js';
import { StrainWork } from '../box/StrainWork.js';
import type { GpuDevice } from '../device/GpuDevice.js';
import type { ListUpdates } from '../neighbors/ListUpdates.js';
import type { Neighbors } from '../neighbors/Neighbors.js';
import type { ListedCells } from '../pattern/ListedCells.js';
import type { Residency } from '../residency/Residency.js';
import { Speculation } from '../speculation/Speculation.js';
import type { FusedStep } from '../step/FusedStep.js';
import type { ValueStore } from '../values/ValueStore.js';
import type { DeviceCells } from './DeviceCells.js';
import type { RecordedCall } from './GpuCall.js';
import type { PairPrograms } from './PairPrograms.js';

/** What calls work on. */
export interface RunnerParts {
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  readonly neighbors: Neighbors;
  readonly pairs: PairPrograms;
  readonly listed: ListedCells;
}

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
  /** Steps that wait for no answer of the device. */
  readonly speculation: Speculation;
  readonly strains: StrainWork;
  readonly #listed: ListedCells;
  readonly #order = new CallOrder();

  /** @param deterministic runs to the same bits, whatever results they are asked for on the way. */
  constructor({ gpu, residency, neighbors, pairs, listed }: RunnerParts, deterministic: boolean) {
    this.gpu = gpu;
    this.residency = residency;
    this.neighbors = neighbors;
    this.pairs = pairs;
    this.#listed = listed;
    this.strains = new StrainWork(this);
    const inOrder = (task: () => Promise<void>): void => {
      this.#order.run(task, () => completed());
    };
    this.speculation = new Speculation(this, inOrder, deterministic);
    gpu.onFailure((error) => this.speculation.abandon(error));
  }

  get values(): ValueStore {
    return this.gpu.values;
  }

  runCells(call: DeviceCells, args: CallArguments): PatternHandle<void> {
    if (args.rows) return this.#listedCells(call, args);
    if (!this.#goesOn(call)) return this.#cellsInOrder(call, args);
    this.speculation.call(call, () => call.record(args));
    return completed();
  }

  #listedCells(call: DeviceCells, args: CallArguments): PatternHandle<void> {
    const { functor, grid } = call;
    return this.settled(call, () => {
      this.#listed.run({ grid, functor, ...args });
      return completed();
    });
  }

  #cellsInOrder(call: DeviceCells, args: CallArguments): PatternHandle<void> {
    return this.#onGrid(call, () => {
      if (this.speculation.covers(call.grid)) this.speculation.call(call, () => call.record(args));
      else call.record(args);
      return completed();
    });
  }

  runFollow(call: FollowStrain): PatternHandle<void> {
    if (!this.#goesOn(call)) {
      return this.#onGrid(call, () => {
        if (this.speculation.covers(call.grid)) this.speculation.call(call, () => call.record());
        else call.record();
        return completed();
      });
    }
    this.speculation.call(call, () => call.record());
    return completed();
  }

  runTotals(call: RecordedCall<Totals>, args: CallArguments): PatternHandle<Totals> {
    if (call.kind === 'other' && strainOf(call.grid)) return this.#totalsUnstrained(call, args);
    if (this.#goesOn(call)) return this.speculation.result(call, () => call.record(args));
    return this.#totalsInOrder(call, args);
  }

  #totalsInOrder(call: RecordedCall<Totals>, args: CallArguments): PatternHandle<Totals> {
    return this.#onGrid(call, () =>
      this.speculation.covers(call.grid)
        ? this.speculation.result(call, () => call.record(args))
        : call.record(args),
    );
  }

  /** Calls that know no strain find the present box as the reference. */
  #totalsUnstrained(call: RecordedCall<Totals>, args: CallArguments): PatternHandle<Totals> {
    return this.#inOrder(
      call,
      () => this.settleStrain(call.grid),
      () => call.record(args),
    );
  }

  /** Makes the present box of a grid the reference of its strain, on the host too; null where it is. */
  settleStrain(grid: Grid): Promise<void> | null {
    const strain = strainOf(grid);
    if (!strain?.isMoved) return null;
    return this.#settleStrain(grid, strain);
  }

  async #settleStrain(grid: Grid, strain: DeviceStrain): Promise<void> {
    if (this.speculation.active) await this.speculation.settle();
    this.strains.takeIn(grid, strain, await this.strains.read(strain));
    grid.domain = strain.reference;
    strain.know(grid.domain);
  }

  /** The same in the order of calls. */
  async strainSettled(grid: Grid): Promise<void> {
    await this.#inOrder(
      { name: 'settle the box', operator: this.operator, grid },
      () => this.settleStrain(grid),
      () => completed(),
    );
  }

  /** What concerns values: part of the open window, if there is one. */
  runValues(name: string, record: () => void): void {
    this.#inOrder(
      { name, operator: this.operator },
      () => null,
      () => {
        if (this.speculation.isOpen)
          this.speculation.call({ name, operator: this.operator }, record);
        else record();
        return completed();
      },
    );
  }

  /** What is read after the calls so far: part of the open window, if there is one, and nothing waits for it. */
  read<R>(name: string, record: () => PatternHandle<R>): PatternHandle<R> {
    return this.#inOrder(
      { name, operator: this.operator },
      () => null,
      () =>
        this.speculation.isOpen
          ? this.speculation.result({ name, operator: this.operator }, record)
          : record(),
    );
  }

  /** As a whole where the step goes on with the open window; else its calls one by one. */
  runStep(step: FusedStep): void | Promise<void> {
    this.gpu.check();
    if (!this.#order.idle) return this.#order.settled().then(() => this.runStep(step));
    if (this.gpu.stream.isFarAhead)
      return this.gpu.stream.caughtUp().then(() => this.runStep(step));
    const { grid } = step;
    this.residency.setBox(grid, this.residency.boxFor(grid, grid.domain));
    const may = step.mayRecord();
    if (may && this.speculation.mayRecord(step)) this.speculation.step(step);
    else if (may && step.updates.length === 0 && !this.speculation.active) step.record([]);
    else return this.runOneByOne(step.calls);
    return undefined;
  }

  /** Makes calls in their order; a promise where they have to wait. */
  runOneByOne(calls: readonly StepCall[]): void | Promise<void> {
    for (let k = 0; k < calls.length; k++) {
      const { call, args } = calls[k]!;
      call.run(args);
    }
    return this.idle ? undefined : this.started();
  }

  runUpdate(call: ListUpdates): PatternHandle<NeighborUpdate> {
    return call.isAhead ? this.#updateAhead(call) : this.#updateNow(call);
  }

  #updateNow(call: ListUpdates): PatternHandle<NeighborUpdate> {
    let update: NeighborUpdate | undefined;
    return this.#inOrder(
      call,
      async () => {
        if (this.speculation.active) await this.speculation.settle();
        await this.settleStrain(call.grid);
        update = await this.neighbors.update(call.plan);
      },
      () => found(call, update!),
    );
  }

  #updateAhead(call: ListUpdates): PatternHandle<NeighborUpdate> {
    this.gpu.check();
    if (this.#mustWait) return this.#updateInTurn(call);
    this.#enter(call, call.grid.domain);
    const before = this.speculation.beforeUpdate(call);
    if (before === null) return this.speculation.update(call);
    before.catch(() => {}); // the handle tells
    return this.#updateInTurn(call, before);
  }

  /** @param begun what must be awaited first, if that has been found out. */
  #updateInTurn(call: ListUpdates, begun?: Promise<void>): PatternHandle<NeighborUpdate> {
    let update: NeighborUpdate | undefined;
    return this.#inOrder(
      call,
      () => {
        const before = begun ?? this.speculation.beforeUpdate(call);
        if (before === null) return null;
        return before.then(async () => {
          if (this.speculation.covers(call.grid)) return;
          await this.settleStrain(call.grid);
          update = await this.neighbors.update(call.plan);
        });
      },
      () => (update ? found(call, update) : this.speculation.update(call)),
    );
  }

  /** Makes the host's table of cells that of the last sort, if it was made here. */
  async fetchCells(grid: Grid): Promise<void> {
    await this.#order.run(
      async () => {
        if (this.speculation.active) await this.speculation.settle();
        this.gpu.operation = 'copy cells to host';
        await this.neighbors.fetchCells(grid);
      },
      () => completed(),
    );
  }

  async newestOnHost(blocks: readonly FieldBlock[], grid?: Grid): Promise<void> {
    await this.#inOrder(
      { name: 'copy to host', operator: this.operator },
      async () => {
        if (this.speculation.active) await this.speculation.prove();
        const strain = grid && strainOf(grid);
        const numbers = strain?.isMoved ? await this.strains.read(strain) : null;
        if (numbers) grid!.domain = strain!.boxAt(numbers);
        if (numbers) strain!.know(grid!.domain);
        for (const block of blocks)
          await this.residency.download(block, block.spec.name === 'position' ? numbers : null);
      },
      () => completed(),
    );
  }

  async startAnew(grid: Grid): Promise<void> {
    await this.#order.run(
      async () => {
        if (this.speculation.active) await this.speculation.settle();
        this.speculation.forget(grid);
        this.neighbors.forget(grid);
        this.residency.forget(grid);
      },
      () => completed(),
    );
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
    this.#order.run(
      () => (this.speculation.active ? this.speculation.prove() : null),
      () => completed(),
    );
    await this.#order.settled();
    await this.gpu.stream.finished();
  }

  /** A call that steps which run ahead cannot contain. */
  settled<R>(call: Named, start: () => PatternHandle<R>): PatternHandle<R> {
    const before = () => (this.speculation.active ? this.speculation.settle() : null);
    return this.#inOrder(call, before, start);
  }

  /**
   * Whether a call goes on with the open window and waits for nothing: so nearly all of a run, many a step. What does not is
   * in functions of its own, since closures cost their callers, made or not.
   */
  #goesOn(call: Named & { readonly grid: Grid }): boolean {
    this.gpu.check();
    if (this.#mustWait) return false;
    this.#enter(call, call.grid.domain);
    return this.speculation.continues(call.grid);
  }

  /** Whether a call has to wait for others, or for the device to catch up. */
  get #mustWait(): boolean {
    return !this.#order.idle || this.gpu.stream.isFarAhead;
  }

  /** What follows is done for a call: for whom, what it is, and in which box. */
  #enter({ operator, name, grid }: Named, box?: Domain): void {
    this.gpu.operator = operator;
    this.gpu.operation = name;
    if (grid) this.residency.setBox(grid, this.residency.boxFor(grid, box!));
  }

  /** A call on a grid, which may be part of a window of calls that run ahead. */
  #onGrid<R>(
    call: Named & { readonly grid: Grid },
    start: () => PatternHandle<R>,
  ): PatternHandle<R> {
    const before = () => (this.speculation.active ? this.speculation.before(call.grid) : null);
    return this.#inOrder(call, before, start);
  }

  /** Makes a call in its turn and in the name of the operator that prepared it, whatever runs meanwhile. */
  #inOrder<R>(
    call: Named,
    before: () => Promise<void> | null,
    start: () => PatternHandle<R>,
  ): PatternHandle<R> {
    const { gpu } = this;
    const box = call.grid?.domain;
    const enter = (): void => this.#enter(call, box);
    const named = (): PatternHandle<R> => {
      enter();
      return start();
    };
    gpu.check();
    if (!this.#mustWait) {
      enter();
      const waiting = before();
      return waiting === null ? start() : this.#order.run(() => waiting, named);
    }
    return this.#order.run(() => {
      enter();
      // Without a limit, calls that are not awaited would pile up in the driver.
      return gpu.stream.isFarAhead
        ? gpu.stream.caughtUp().then(() => before() ?? undefined)
        : before();
    }, named);
  }
}

/** What is done, for whom, and on which grid if it is on one. */
interface Named {
  readonly name: string;
  readonly operator: string;
  readonly grid?: Grid;
}

/** An update that was waited for. */
function found({ plan }: ListUpdates, update: NeighborUpdate): PatternHandle<NeighborUpdate> {
  plan.onUpdate?.(update);
  return completed(update);
}
