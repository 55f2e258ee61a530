import type {
  CorpuscleError,
  FieldBlock,
  Grid,
  NeighborList,
  NeighborListKind,
  Saved,
  SharedHeap,
} from '@corpuscle/core';
import { plainResults, type ResultRecord } from '@corpuscle/functor/ir';
import { CallByCallEngine } from '../engine/CallByCallEngine.js';
import type { EngineCall } from '../engine/Engine.js';
import type { HostEngine } from '../engine/HostEngine.js';
import type { TraceSlice } from '../engine/TraceSlice.js';
import { DeferredHandle } from '../handles/DeferredHandle.js';
import { completed, pending } from '../handles/handles.js';
import type { PatternHandle } from '../handles/PatternHandle.js';
import type {
  BlockCall,
  CellCall,
  NeighborCall,
  NeighborUpdate,
  PairCall,
  Plan,
  RecordCall,
  ReduceCall,
  Totals,
} from '../plan/calls.js';
import { BackgroundJobs } from './BackgroundJobs.js';
import type { CpuServices, PairServices } from './CpuServices.js';
import { blockDirectly, cellDirectly, recordDirectly, reduceDirectly } from './callDirectly.js';
import { combinePartials } from './combinePartials.js';
import { DeferredCalls } from './DeferredCalls.js';
import { FIXED_PARTS } from './fixedParts.js';
import { kernelText } from './kernelText.js';
import { computeNeighborhoods } from './neighborhood/neighborhoodPattern.js';
import { restoreLists, saveLists } from './neighbors/listCheckpoint.js';
import { neighborList, updateNeighbors } from './neighbors/updateNeighbors.js';
import { computePairs } from './pair/pairPattern.js';
import { BlockPlans } from './plans/BlockPlans.js';
import { ParticlePlans } from './plans/ParticlePlans.js';
import { RowPlans } from './plans/RowPlans.js';
import { RowQueue } from './RowQueue.js';
import { relaxedSimd } from './relaxedSimd.js';
import { ThreadPool } from './ThreadPool.js';
import { Unfinished } from './Unfinished.js';

export type CpuEngineOptions = Omit<CpuServices, 'pool' | 'rows' | 'relaxed' | 'parts'> & {
  readonly threads: number;
  /** Seconds after which work without progress is ended; Infinity: it is only told of. */
  readonly kernelLimit: number;
};

/**
 * The CPU backend: kernels compiled from functors, run by a pool of threads over the shared heap. State is f64 in every
 * precision policy; the policy concerns pair kernels.
 */
export class CpuEngine extends CallByCallEngine implements HostEngine, PairServices {
  readonly name = 'cpu';
  readonly description: string;
  readonly precisions = ['f64', 'mixed', 'f32'] as const;
  readonly heap: SharedHeap;
  readonly precision: CpuServices['precision'];
  readonly lowering: CpuServices['lowering'];
  readonly deterministic: boolean;
  readonly relaxed: boolean;
  readonly pool: ThreadPool;
  readonly parts: number;
  readonly rows: RowQueue;
  readonly reduce: PairServices['reduce'];
  readonly #jobs: BackgroundJobs;
  readonly #unfinished = new Unfinished();
  readonly #deferredCalls = new DeferredCalls(this.#unfinished);
  readonly #blocks: BlockPlans;
  readonly #particles: ParticlePlans;
  readonly #rowPlans: RowPlans;
  readonly #deferred = new DeferredHandle(() => this.rows.flush());

  constructor(options: CpuEngineOptions) {
    super();
    this.heap = options.heap;
    this.precision = options.precision;
    this.lowering = options.lowering;
    this.deterministic = options.deterministic;
    this.relaxed = !options.deterministic && options.lowering === 'simd' && relaxedSimd();
    this.pool = new ThreadPool(options.heap, options.threads, options.kernelLimit);
    this.parts = options.deterministic ? FIXED_PARTS : this.pool.threads;
    this.description = `${this.pool.threads} CPU ${this.pool.threads === 1 ? 'thread' : 'threads'}`;
    this.rows = new RowQueue(this.heap, this.pool, this.#unfinished);
    this.#jobs = new BackgroundJobs(this.pool, this.#unfinished);
    this.#blocks = new BlockPlans(this, this.#jobs);
    this.#particles = new ParticlePlans(this, this.#jobs);
    this.reduce = (call) => this.#particles.reduceNow(call, call.functor.ir!);
    this.#rowPlans = new RowPlans(this, this.#jobs);
  }

  override blockParallelFor(call: BlockCall): PatternHandle<ResultRecord> {
    this.#deferredCalls.flush();
    const { ir, spec } = call.functor;
    const written = spec.kind === 'block' ? spec.arrays : {};
    if (ir === null) {
      this.finish();
      const record = blockDirectly(call, this.pool.main);
      for (const name in written) call.arrays[name]!.block.hostWritten();
      return completed(record);
    }
    this.rows.flush(); // the arrays may be a grid's
    const record = this.#blocks.run(call);
    for (const name in written) call.arrays[name]!.block.hostWritten();
    return record instanceof Promise ? pending(record) : completed(record);
  }

  override computeCellParticles(call: CellCall): PatternHandle<void> {
    this.#deferredCalls.flush();
    const { functor, grid } = call;
    if (functor.ir === null) {
      this.finish();
      cellDirectly(call, this.pool.main);
      markWritten(this.#particles.written(functor, grid));
      return completed();
    }
    const job = call.rows
      ? this.#rowPlans.runCell(call)
      : this.#particles.runCell(call, functor.ir);
    markWritten(this.#particles.written(functor, grid));
    if (job) return pending(job);
    return call.rows ? completed() : this.#deferred;
  }

  override reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    this.#deferredCalls.flush();
    const { functor, initial } = call;
    if (functor.ir === null) {
      this.finish();
      const results = plainResults(functor);
      const totals = reduceDirectly(call, results, this.pool.main);
      return completed(combinePartials(results, initial, Float64Array.from(Object.values(totals))));
    }
    const totals = this.#particles.runReduce(call, functor.ir);
    return totals instanceof Promise ? pending(totals) : completed(totals);
  }

  override reduceRecords(call: RecordCall): PatternHandle<ResultRecord> {
    this.#deferredCalls.flush();
    if (call.functor.ir === null) {
      this.finish();
      return completed(recordDirectly(call, this.pool.main));
    }
    const record = this.#rowPlans.runReduce(call);
    return record instanceof Promise ? pending(record) : completed(record);
  }

  override computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    const compute = (): Totals => {
      this.#jobs.finish();
      return isWhole(call.functor) ? computeNeighborhoods(this, call) : computePairs(this, call);
    };
    if (call.asynchronous)
      return pending(this.#deferredCalls.add(compute), () => this.#deferredCalls.flush());
    this.#deferredCalls.flush();
    return completed(compute());
  }

  protected override callDirectly(functor: string, call: () => void): void {
    this.pool.main.directly(functor, call);
  }

  prepareLists(plan: Plan<NeighborCall>): EngineCall<NeighborUpdate> {
    return { run: (args) => this.#updateLists({ ...plan, ...args }) };
  }

  neighborList(grid: Grid, kind: NeighborListKind, rcut: number): NeighborList {
    return neighborList(this, grid, kind, rcut);
  }

  saveLists(grid: Grid): Saved {
    this.finish();
    return saveLists(this, grid);
  }

  restoreLists(grid: Grid, saved: Saved): boolean {
    this.finish();
    return restoreLists(this, grid, saved);
  }

  #updateLists(call: NeighborCall): PatternHandle<NeighborUpdate> {
    const update = (): NeighborUpdate => {
      this.#jobs.finish(); // a sort moves what background jobs work on
      const found = updateNeighbors(this, call);
      call.onUpdate?.(found);
      return found;
    };
    if (call.asynchronous)
      return pending(this.#deferredCalls.add(update), () => this.#deferredCalls.flush());
    this.#deferredCalls.flush();
    return completed(update());
  }

  /** Completes what was put off, and background jobs that work on these blocks, or all. */
  finish(blocks?: readonly FieldBlock[]): void {
    if (this.#unfinished.some) this.#finish(blocks);
  }

  #finish(blocks: readonly FieldBlock[] | undefined): void {
    this.#deferredCalls.flush();
    this.rows.flush();
    this.#jobs.finish(blocks);
    this.#unfinished.some = !(
      this.#deferredCalls.isEmpty &&
      this.rows.isEmpty &&
      this.#jobs.isEmpty
    );
  }

  ready(): Promise<void> {
    return this.pool.ready();
  }

  trace(told: (slice: TraceSlice) => void): void {
    this.pool.trace(told);
  }

  enterOperator(name: string): void {
    this.pool.main.enterOperator(name);
  }

  onEndless(told: (error: CorpuscleError) => void): void {
    this.pool.onEndless = told;
  }

  onKernel(note: (label: string, text: string) => void): void {
    const target = this.lowering === 'javascript' ? 'js' : 'wat';
    this.pool.onKernel((kernel) => {
      const text = kernelText(kernel, target, this.heap.addresses);
      if (text !== null) note(kernel.label, text);
    });
  }

  override async close(): Promise<void> {
    try {
      this.#deferredCalls.flush();
      this.rows.flush();
    } finally {
      await this.pool.close();
    }
  }
}

/** Functors that are called once a particle, or before and after its neighbors. */
const isWhole = ({ kind, ir }: PairCall['functor']): boolean =>
  kind === 'neighborhood' || ir?.start !== undefined;

function markWritten(blocks: readonly FieldBlock[]): void {
  for (const block of blocks) block.hostWritten();
}
