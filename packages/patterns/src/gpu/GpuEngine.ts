import type { Domain, FieldBlock, Grid } from '@corpuscle/core';
import type { ResultRecord } from '@corpuscle/functor/ir';
import { CallOrder } from '../context/CallOrder.js';
import type { GpuBackend, GpuProfile } from '../context/loadGpuEngine.js';
import type { Precision } from '../pattern/chooseBackend.js';
import { completed } from '../pattern/handles.js';
import type {
  BlockCall,
  CellCall,
  NeighbourCall,
  NeighbourUpdate,
  PairCall,
  RecordCall,
  ReduceCall,
  Totals,
} from '../pattern/PatternEngine.js';
import type { PatternHandle } from '../pattern/PatternHandle.js';
import { RunAhead } from './ahead/RunAhead.js';
import { UPDATE } from './ahead/StepMaker.js';
import type { TotalsStep } from './ahead/Stretch.js';
import { Accounts } from './device/Accounts.js';
import type { GpuInfo } from './device/findAdapter.js';
import { type GpuCounters, newCounters } from './device/GpuCounters.js';
import type { GpuDevice } from './device/GpuDevice.js';
import type { DevicePrecisions } from './double/preparePrecision.js';
import { Neighbours } from './neighbours/Neighbours.js';
import { BlockPattern } from './pattern/BlockPattern.js';
import { CellPattern } from './pattern/CellPattern.js';
import { ListedCells } from './pattern/ListedCells.js';
import { PairPattern } from './pattern/PairPattern.js';
import { RecordPattern } from './pattern/RecordPattern.js';
import { ReducePattern } from './pattern/ReducePattern.js';
import { RowLists } from './pattern/RowLists.js';
import { Residency } from './residency/Residency.js';

const SINGLE: DevicePrecisions = { precisions: ['f32'], reason: '' };

/**
 * The GPU backend. Calls are recorded in program order and submitted in batches; handles of calls that return nothing are
 * done once the call is recorded, those with results when the results have been read back. What `real` is has been
 * settled on the device (`preparePrecision`).
 *
 * `updateNeighbours` waits for the device (is a rebuild due?), and calls made meanwhile start behind it; with `ahead`
 * nothing waits: see `RunAhead`.
 */
export class GpuEngine implements GpuBackend {
  readonly name = 'webgpu';
  /** The operator of a simulation that makes the next calls, for errors and profiles. */
  operator = '';
  readonly precisions: readonly Precision[];
  /** Why the device has no other precisions; empty when it has all. */
  readonly precisionReason: string;
  readonly gpu: GpuDevice;
  readonly residency: Residency;
  readonly neighbours: Neighbours;
  readonly #order = new CallOrder();
  #profiledFrom: GpuCounters = newCounters();
  #repeatsFrom = 0;
  readonly #blocks: BlockPattern;
  readonly #cells: CellPattern;
  readonly #listed: ListedCells;
  readonly #records: RecordPattern;
  readonly #reductions: ReducePattern;
  readonly pairs: PairPattern;
  /** Steps that wait for no answer of the device. */
  readonly ahead: RunAhead;

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
    this.neighbours = new Neighbours(gpu, this.residency);
    this.#blocks = new BlockPattern(gpu, this.residency);
    this.#cells = new CellPattern(gpu, this.residency);
    const lists = new RowLists(gpu);
    this.#listed = new ListedCells(gpu, this.residency, lists);
    this.#records = new RecordPattern(gpu, this.residency, lists);
    this.#reductions = new ReducePattern(gpu, this.residency);
    this.pairs = new PairPattern(gpu, this.residency, this.neighbours, this.#cells);
    const patterns = {
      cells: this.#cells,
      pairs: this.pairs,
      reductions: this.#reductions,
      neighbours: this.neighbours,
      residency: this.residency,
    };
    const inOrder = (task: () => Promise<void>): void => {
      this.#order.run(task, () => completed());
    };
    this.ahead = new RunAhead(gpu, patterns, inOrder, deterministic);
    gpu.onFailure((error) => this.ahead.abandon(error));
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
  get counters(): Readonly<GpuCounters> {
    return this.gpu.counters;
  }

  blockParallelFor(call: BlockCall): PatternHandle<ResultRecord> {
    return this.#settled(call.functor.name, () => this.#blocks.run(call));
  }

  computeCellParticles(call: CellCall): PatternHandle<void> {
    if (this.#order.idle && this.ahead.hold(call, this.operator)) return completed();
    if (call.rows || !this.#goesOn(call)) return this.#cellsInOrder(call);
    this.ahead.cells(call);
    return completed();
  }

  #cellsInOrder(call: CellCall): PatternHandle<void> {
    if (call.rows) {
      return this.#settled(
        call.functor.name,
        () => {
          this.#listed.run(call);
          return completed();
        },
        call.grid,
      );
    }
    return this.#onGrid(call, () => {
      if (this.ahead.covers(call.grid)) this.ahead.cells(call);
      else this.#cells.run({ ...call, params: { ...call.params } });
      return completed();
    });
  }

  reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    if (this.#goesOn(call)) return this.ahead.totals('reduce', call);
    return this.#reduceInOrder(call);
  }

  #reduceInOrder(call: ReduceCall): PatternHandle<Totals> {
    return this.#onGrid(call, () =>
      this.ahead.covers(call.grid) ? this.ahead.totals('reduce', call) : this.#reductions.run(call),
    );
  }

  reduceRecords(call: RecordCall): PatternHandle<ResultRecord> {
    return this.#settled(call.functor.name, () => this.#records.run(call), call.grid);
  }

  /** Makes the host's table of cells that of the last sort, if it was made here. */
  async fetchCells(grid: Grid): Promise<void> {
    await this.#order.run(
      async () => {
        if (this.ahead.active) await this.ahead.settle();
        this.gpu.operation = 'copy cells to host';
        await this.neighbours.fetchCells(grid);
      },
      () => completed(),
    );
  }

  computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    const held = this.#order.idle ? (this.ahead.hold(call, this.operator) as TotalsStep) : null;
    if (held) return held.attempt!;
    const isWhole = !call.allPairs?.central && !call.allPairs?.neighbours;
    if (isWhole && this.#goesOn(call)) return this.ahead.totals('pair', call);
    return this.#pairsInOrder(call, isWhole);
  }

  /** @param isWhole whether no rows are named: these would be others if steps were made again with lists, and so an order, of another step. */
  #pairsInOrder(call: PairCall, isWhole: boolean): PatternHandle<Totals> {
    if (!isWhole) return this.#settled(call.functor.name, () => this.pairs.run(call), call.grid);
    return this.#onGrid(call, () =>
      this.ahead.covers(call.grid) ? this.ahead.totals('pair', call) : this.pairs.run(call),
    );
  }

  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    return call.ahead && !call.force ? this.#updateAhead(call) : this.#updateNow(call);
  }

  #updateNow(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    let update: NeighbourUpdate | undefined;
    return this.#inOrder(
      UPDATE,
      async () => {
        if (this.ahead.active) await this.ahead.settle();
        update = await this.neighbours.update(call);
      },
      () => completed(update!),
      call.grid,
    );
  }

  #updateAhead(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    this.gpu.check();
    if (this.#mustWait) return this.#updateInTurn(call);
    this.#enter(this.operator, UPDATE, call.grid, call.grid.domain);
    const before = this.ahead.beforeUpdate(call);
    if (before === null) return this.ahead.update(call);
    before.catch(() => {}); // the handle tells
    return this.#updateInTurn(call, before);
  }

  /** @param begun what must be awaited first, if that has been found out. */
  #updateInTurn(call: NeighbourCall, begun?: Promise<void>): PatternHandle<NeighbourUpdate> {
    let update: NeighbourUpdate | undefined;
    return this.#inOrder(
      UPDATE,
      () => {
        const before = begun ?? this.ahead.beforeUpdate(call);
        if (before === null) return null;
        return before.then(async () => {
          if (this.ahead.covers(call.grid)) return;
          update = await this.neighbours.update(call);
        });
      },
      () => (update ? completed(update) : this.ahead.update(call)),
      call.grid,
    );
  }

  async newestOnHost(blocks: readonly FieldBlock[]): Promise<void> {
    await this.#inOrder(
      'copy to host',
      async () => {
        if (this.ahead.active) await this.ahead.prove();
        for (const block of blocks) await this.residency.download(block);
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
      () => (this.ahead.active ? this.ahead.prove() : null),
      () => completed(),
    );
    await this.#order.settled();
    await this.gpu.stream.finished();
  }

  startProfile(): void {
    this.gpu.accounts = new Accounts();
    this.gpu.stream.startTimes();
    this.#profiledFrom = { ...this.gpu.counters };
    this.#repeatsFrom = this.ahead.repeats;
  }

  async profile(): Promise<GpuProfile> {
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
      repeats: this.ahead.repeats - this.#repeatsFrom,
    };
  }

  async close(): Promise<void> {
    await this.#order.settled();
    await this.gpu.close();
  }

  /** A call that steps which run ahead cannot contain. */
  #settled<R>(operation: string, start: () => PatternHandle<R>, grid?: Grid): PatternHandle<R> {
    const before = () => (this.ahead.active ? this.ahead.settle() : null);
    return this.#inOrder(operation, before, start, grid);
  }

  /**
   * Whether a call goes on with the open stretch and waits for nothing: so nearly all of a run, many a step. What does not is
   * in functions of its own, since closures cost their callers, made or not.
   */
  #goesOn({ grid, functor }: { grid: Grid; functor: { name: string } }): boolean {
    this.gpu.check();
    if (this.#mustWait) return false;
    this.#enter(this.operator, functor.name, grid, grid.domain);
    return this.ahead.continues(grid);
  }

  /** Whether a call has to wait for others, or for the device to catch up. */
  get #mustWait(): boolean {
    return !this.#order.idle || this.gpu.stream.isFarAhead;
  }

  /** What follows is done for a call: for whom, what it is, and in which box. */
  #enter(operator: string, operation: string, grid?: Grid, box?: Domain): void {
    this.gpu.operator = operator;
    this.gpu.operation = operation;
    if (grid) this.residency.setBox(grid, box!);
  }

  /** A call on a grid, which may be part of a stretch of calls that run ahead. */
  #onGrid<R>(
    call: { grid: Grid; functor: { name: string } },
    start: () => PatternHandle<R>,
  ): PatternHandle<R> {
    const before = () => (this.ahead.active ? this.ahead.before(call.grid) : null);
    return this.#inOrder(call.functor.name, before, start, call.grid);
  }

  /** Makes a call in its turn and in the name of the operator that makes it, whatever runs meanwhile. */
  #inOrder<R>(
    operation: string,
    before: () => Promise<void> | null,
    start: () => PatternHandle<R>,
    grid?: Grid,
  ): PatternHandle<R> {
    const { gpu, operator } = this;
    const box = grid?.domain;
    const enter = (): void => this.#enter(operator, operation, grid, box);
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
      // Without a limit, calls that nobody awaits would pile up in the driver.
      return gpu.stream.isFarAhead
        ? gpu.stream.caughtUp().then(() => before() ?? undefined)
        : before();
    }, named);
  }
}
