import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import type { ResultRecord } from '@corpuscle/functor/ir';
import type { DeviceCounters, DeviceProfile } from '../engine/DeviceStatus.js';
import type { Device, Engine, EngineCall, EngineStep, StepCall } from '../engine/Engine.js';
import { CallOrder } from '../handles/CallOrder.js';
import { completed } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type {
  BlockCall,
  CallArguments,
  CellCall,
  NeighborCall,
  NeighborUpdate,
  PairCall,
  Plan,
  RecordCall,
  ReduceCall,
  Totals,
  ValueCall,
} from '../plan/calls.js';
import type { Precision } from '../plan/chooseBackend.js';
import type { EngineValues } from '../value/EngineValues.js';
import { AllPairsWork, DeviceAllPairs } from './allPairs/DeviceAllPairs.js';
import { DeviceCells } from './calls/DeviceCells.js';
import { DevicePairs } from './calls/DevicePairs.js';
import { DeviceReduction } from './calls/DeviceReduction.js';
import type { RecordedCall } from './calls/GpuCall.js';
import { OtherPairs } from './calls/OtherPairs.js';
import { PairPrograms } from './calls/PairPrograms.js';
import { ReducePrograms } from './calls/ReducePrograms.js';
import { Accounts } from './device/Accounts.js';
import type { GpuInfo } from './device/findAdapter.js';
import { newCounters } from './device/GpuCounters.js';
import type { GpuDevice } from './device/GpuDevice.js';
import type { DevicePrecisions } from './double/preparePrecision.js';
import { NeighborhoodPattern } from './neighborhood/NeighborhoodPattern.js';
import { ListUpdates } from './neighbors/ListUpdates.js';
import { Neighbors } from './neighbors/Neighbors.js';
import { BlockPattern } from './pattern/BlockPattern.js';
import { ListedCells } from './pattern/ListedCells.js';
import { RecordPattern } from './pattern/RecordPattern.js';
import { RowLists } from './pattern/RowLists.js';
import { Residency } from './residency/Residency.js';
import { Speculation } from './speculation/Speculation.js';
import { FusedStep } from './step/FusedStep.js';
import type { GpuStepCall } from './step/groupsOf.js';
import { DeviceValues } from './values/DeviceValues.js';
import { ValueKernel } from './values/ValueKernel.js';
import type { ValueStore } from './values/ValueStore.js';

const SINGLE: DevicePrecisions = { precisions: ['f32'], reason: '' };

/**
 * The GPU backend. Calls are recorded in program order and submitted in batches; handles of calls that return nothing are
 * done once the call is recorded, those with results when the results have been read back. What `real` is has been
 * settled on the device (`preparePrecision`).
 *
 * Updates of neighbor lists wait for the device (is a rebuild due?), and calls made meanwhile start after it; with `ahead`
 * nothing waits: see `Speculation`.
 */
export class GpuEngine implements Engine, Device {
  readonly name = 'webgpu';
  /** The operator of a simulation that prepares the next calls, for errors and profiles. */
  operator = '';
  readonly precisions: readonly Precision[];
  /** Why the device has no other precisions; empty when it has all. */
  readonly precisionReason: string;
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  readonly neighbors: Neighbors;
  readonly pairs: PairPrograms;
  /** Steps that wait for no answer of the device. */
  readonly speculation: Speculation;
  readonly #order = new CallOrder();
  #profiledFrom: DeviceCounters = newCounters();
  #repeatsFrom = 0;
  readonly #blocks: BlockPattern;
  readonly #listed: ListedCells;
  readonly #records: RecordPattern;
  readonly #reductions: ReducePrograms;
  #allPairs: AllPairsWork | null = null;
  #neighborhoods: NeighborhoodPattern | null = null;

  /** @param deterministic runs to the same bits, whatever results they are asked for on the way. */
  constructor(
    gpu: GpuDevice,
    { precisions, reason }: DevicePrecisions = SINGLE,
    deterministic = false,
  ) {
    this.gpu = gpu;
    this.precisions = precisions;
    this.precisionReason = reason;
    this.residency = new Residency(gpu);
    this.neighbors = new Neighbors(gpu, this.residency);
    this.#blocks = new BlockPattern(gpu, this.residency);
    const lists = new RowLists(gpu);
    this.#listed = new ListedCells(gpu, this.residency, lists);
    this.#records = new RecordPattern(gpu, this.residency, lists);
    this.#reductions = new ReducePrograms(gpu);
    this.pairs = new PairPrograms(gpu);
    const inOrder = (task: () => Promise<void>): void => {
      this.#order.run(task, () => completed());
    };
    this.speculation = new Speculation(this, inOrder, deterministic);
    gpu.onFailure((error) => this.speculation.abandon(error));
  }

  /** Results stay on the device until the host asks for them. */
  get device(): Device {
    return this;
  }
  /** Adapter and driver, for people. */
  get description(): string {
    return this.gpu.info.adapter;
  }
  /** Features and limits of the adapter. */
  get info(): GpuInfo {
    return this.gpu.info;
  }
  /** Transfers, dispatches and submits so far. */
  get counters(): Readonly<DeviceCounters> {
    return this.gpu.counters;
  }

  prepareBlocks(plan: Plan<BlockCall>): EngineCall<ResultRecord> {
    const { name } = plan.functor;
    const { operator } = this;
    const run = (args: CallArguments) =>
      this.#settled({ name, operator }, () => this.#blocks.run({ ...plan, ...args }));
    return { run };
  }

  prepareCells(plan: Plan<CellCall>): EngineCall<void> {
    return new DeviceCells(this, plan, this.operator);
  }

  prepareReduction(plan: Plan<ReduceCall>): EngineCall<Totals> {
    return new DeviceReduction(this, this.#reductions, plan, this.operator);
  }

  prepareRecords(plan: Plan<RecordCall>): EngineCall<ResultRecord> {
    const { functor, grid } = plan;
    const info = { name: functor.name, operator: this.operator, grid };
    const run = (args: CallArguments) =>
      this.#settled(info, () => this.#records.run({ ...plan, ...args }));
    return { run };
  }

  preparePairs(plan: Plan<PairCall>): EngineCall<Totals> {
    const { functor, allPairs } = plan;
    const { operator } = this;
    if (allPairs) {
      this.#allPairs ??= new AllPairsWork(this.gpu, this.residency);
      const call = new DeviceAllPairs(this, this.#allPairs, plan, operator);
      // Rows are others when steps are made again with lists, and so an order, of another step; labels are not.
      if (allPairs.labels || (!allPairs.central && !allPairs.neighbors)) return call;
      return { run: (args) => this.#settled(call, () => call.record(args)) };
    }
    if (functor.kind === 'pair' && !functor.ir?.start) return new DevicePairs(this, plan, operator);
    this.#neighborhoods ??= new NeighborhoodPattern(this.gpu, this.residency);
    const pattern = this.#neighborhoods;
    return new OtherPairs(this, plan, operator, (one, lists) => pattern.run(one, lists()));
  }

  prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate> {
    return new ListUpdates(this, plan, this.operator);
  }

  prepareValues(plan: Plan<ValueCall>): EngineCall<void> {
    return new ValueKernel(this, plan, this.operator);
  }

  createValues(initial: readonly number[]): EngineValues {
    return new DeviceValues(this, initial);
  }

  get values(): ValueStore {
    return this.gpu.values;
  }

  prepareStep(calls: readonly StepCall[]): EngineStep {
    const own = calls.filter((one): one is GpuStepCall => 'kind' in one.call);
    const grids = new Set(own.map(({ call }) => call.grid).filter((grid) => grid !== null));
    const [grid] = grids;
    const isWhole = own.length === calls.length && grids.size === 1;
    return isWhole ? new FusedStep(this, grid!, own) : new PlainStep(this, calls);
  }

  runCells(call: DeviceCells, args: CallArguments): PatternHandle<void> {
    if (args.rows) return this.#listedCells(call, args);
    if (!this.#goesOn(call)) return this.#cellsInOrder(call, args);
    this.speculation.call(call, () => call.record(args));
    return completed();
  }

  #listedCells(call: DeviceCells, args: CallArguments): PatternHandle<void> {
    const { functor, grid } = call;
    return this.#settled(call, () => {
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

  runTotals(call: RecordedCall<Totals>, args: CallArguments): PatternHandle<Totals> {
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

  readValues(
    name: string,
    record: () => PatternHandle<readonly number[]>,
  ): PatternHandle<readonly number[]> {
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
    this.residency.setBox(grid, grid.domain);
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

  runUpdate(call: ListUpdates): PatternHandle<NeighborUpdate> {
    return call.isAhead ? this.#updateAhead(call) : this.#updateNow(call);
  }

  #updateNow(call: ListUpdates): PatternHandle<NeighborUpdate> {
    let update: NeighborUpdate | undefined;
    return this.#inOrder(
      call,
      async () => {
        if (this.speculation.active) await this.speculation.settle();
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
          update = await this.neighbors.update(call.plan);
        });
      },
      () => (update ? found(call, update) : this.speculation.update(call)),
    );
  }

  async newestOnHost(blocks: readonly FieldBlock[]): Promise<void> {
    await this.#inOrder(
      { name: 'copy to host', operator: this.operator },
      async () => {
        if (this.speculation.active) await this.speculation.prove();
        for (const block of blocks) await this.residency.download(block);
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

  startProfile(): void {
    this.gpu.accounts = new Accounts();
    this.gpu.stream.startTimes();
    this.#profiledFrom = { ...this.gpu.counters };
    this.#repeatsFrom = this.speculation.repeats;
  }

  async profile(): Promise<DeviceProfile> {
    await this.finished();
    const { times } = this.gpu.stream;
    await times?.arrived();
    const from = this.#profiledFrom;
    const { counters } = this.gpu;
    return {
      operators: this.gpu.accounts?.all ?? [],
      kernels: [...(times?.times.values() ?? [])].sort((a, b) => b.milliseconds - a.milliseconds),
      uploadedBytes: counters.uploadedBytes - from.uploadedBytes,
      downloadedBytes: counters.downloadedBytes - from.downloadedBytes,
      dispatches: counters.dispatches - from.dispatches,
      submits: counters.submits - from.submits,
      repeats: this.speculation.repeats - this.#repeatsFrom,
    };
  }

  async close(): Promise<void> {
    await this.#order.settled();
    await this.gpu.close();
  }

  /** A call that steps which run ahead cannot contain. */
  #settled<R>(call: Named, start: () => PatternHandle<R>): PatternHandle<R> {
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
    if (grid) this.residency.setBox(grid, box!);
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

/** A step of calls that have nothing in common. */
class PlainStep implements EngineStep {
  readonly #engine: GpuEngine;
  readonly #calls: readonly StepCall[];

  constructor(engine: GpuEngine, calls: readonly StepCall[]) {
    this.#engine = engine;
    this.#calls = calls;
  }
  run(): void | Promise<void> {
    return this.#engine.runOneByOne(this.#calls);
  }
  close(): void {}
}
