import type { FieldBlock, Grid } from '@corpuscle/core';
import type { Functor, PlainResults } from '@corpuscle/functor';
import { type FunctorIR, plainResults } from '@corpuscle/functor/ir';
import type { CellCall, ReduceCall, Totals } from '../../plan/calls.js';
import { ArgumentRecord } from '../ArgumentRecord.js';
import type { BackgroundJobs } from '../BackgroundJobs.js';
import type { CpuServices } from '../CpuServices.js';
import { combinePartials } from '../combinePartials.js';
import type { Kernel } from '../Kernel.js';
import { argumentNames, PARTIAL } from '../kernels/argumentNames.js';
import { bindFields, boundBlocks } from '../kernels/FieldBinding.js';
import { particleKernel } from '../kernels/particleKernel.js';
import type { Schedule } from '../Schedule.js';
import { clearedBlocks } from './clearedBlocks.js';

/** Everything about running a functor on a grid that does not change from call to call. */
interface ParticlePlan {
  readonly kernel: Kernel;
  readonly blocks: readonly { readonly slot: string; readonly block: FieldBlock }[];
  readonly touched: readonly FieldBlock[];
  readonly clears: readonly FieldBlock[];
  /** For synchronous calls. */
  readonly record: ArgumentRecord;
  partials: number;
  partialBytes: number;
}

/** Runs cell and reduce functors. */
export class ParticlePlans {
  readonly #services: CpuServices;
  readonly #jobs: BackgroundJobs;
  readonly #plans = new WeakMap<Functor, WeakMap<Grid, ParticlePlan>>();
  readonly #written = new WeakMap<Functor, WeakMap<Grid, readonly FieldBlock[]>>();

  constructor(services: CpuServices, jobs: BackgroundJobs) {
    this.#services = services;
    this.#jobs = jobs;
  }

  /** The blocks of a grid that a functor writes. */
  written(functor: Functor, grid: Grid): readonly FieldBlock[] {
    return cached(this.#written, functor, grid, () =>
      boundBlocks(bindFields(functor, grid))
        .filter(({ written }) => written)
        .map(({ block }) => grid.block(block)),
    );
  }

  /** Runs a cell functor, possibly together with what follows; a promise when it runs in the background. */
  runCell(call: CellCall, ir: FunctorIR): Promise<void> | null {
    const { functor, grid, asynchronous } = call;
    const plan = this.#plan(functor, ir, grid);
    const { heap, pool, rows } = this.#services;
    if (!asynchronous) {
      this.#enqueue(plan, call);
      return null;
    }
    rows.flush();
    const record = new ArgumentRecord(heap, plan.kernel.args);
    fill(record, plan, call);
    const job = pool.start(
      plan.kernel,
      record.address,
      0,
      grid.count,
      this.#schedule(grid.count),
      call.lane,
    );
    return this.#jobs.track(job, plan.touched, () => record.free());
  }

  /** Runs a reduce functor, together with what waits. */
  reduceNow(call: ReduceCall, ir: FunctorIR): Totals {
    const { functor, grid, initial } = call;
    const plan = this.#plan(functor, ir, grid);
    const { heap, rows } = this.#services;
    const results = plainResults(functor);
    const length = partialsOf(grid, results);
    if (plan.partialBytes < 8 * length) {
      heap.free(plan.partials);
      plan.partials = plan.partialBytes = 0;
      plan.partials = heap.allocate(8 * length);
      plan.partialBytes = 8 * length;
    }
    plan.record.setInteger(argumentNames.partials, plan.partials);
    this.#enqueue(plan, call);
    rows.flush();
    return combinePartials(results, initial, heap.f64(plan.partials, length));
  }

  /** Runs a reduce functor; a promise when it runs in the background. */
  runReduce(call: ReduceCall, ir: FunctorIR): Totals | Promise<Totals> {
    if (!call.asynchronous) return this.reduceNow(call, ir);
    const { functor, grid, initial } = call;
    const plan = this.#plan(functor, ir, grid);
    const { heap, pool, rows } = this.#services;
    const results = plainResults(functor);
    const length = partialsOf(grid, results);
    rows.flush();
    const record = new ArgumentRecord(heap, plan.kernel.args);
    const partials = heap.allocate(8 * length);
    fill(record, plan, call);
    record.setInteger(argumentNames.partials, partials);
    const job = pool.start(
      plan.kernel,
      record.address,
      0,
      grid.count,
      this.#schedule(grid.count),
      call.lane,
    );
    let totals: Totals = {};
    const release = () => {
      if (job.done) totals = combinePartials(results, initial, heap.f64(partials, length));
      heap.free(partials);
      record.free();
    };
    return this.#jobs.track(job, plan.touched, release).then(() => totals);
  }

  #enqueue(plan: ParticlePlan, call: CellCall | ReduceCall): void {
    const { rows } = this.#services;
    const { kernel, record, touched, clears } = plan;
    // Jobs in the background that write what this reads are done once it runs: the pool keeps the order.
    rows.release(record.address);
    fill(record, plan, call);
    rows.add(call.grid, { kernel, record: record.address, blocks: touched, clears });
  }

  /** Multiples of PARTIAL, about eight chunks a thread. */
  #schedule(count: number): Schedule {
    const even = count / (8 * this.#services.pool.threads);
    const chunk = PARTIAL * Math.min(16, Math.max(1, Math.ceil(even / PARTIAL)));
    return { kind: 'dynamic', chunk };
  }

  #plan(functor: Functor<'cell'> | Functor<'reduce'>, ir: FunctorIR, grid: Grid): ParticlePlan {
    return cached(this.#plans, functor, grid, () => {
      const kernel = particleKernel(functor, ir, grid, this.#services.lowering);
      const blocks = boundBlocks(bindFields(functor, grid)).map(({ block }) => ({
        slot: argumentNames.block(block),
        block: grid.block(block),
      }));
      return {
        kernel,
        blocks,
        touched: blocks.map(({ block }) => block),
        clears: clearedBlocks(ir, grid),
        record: new ArgumentRecord(this.#services.heap, kernel.args),
        partials: 0,
        partialBytes: 0,
      };
    });
  }
}

/** How many partial results a reduction leaves. */
const partialsOf = (grid: Grid, results: PlainResults): number =>
  Math.ceil(grid.count / PARTIAL) * Object.keys(results).length;

function fill(
  record: ArgumentRecord,
  plan: ParticlePlan,
  { functor, params }: CellCall | ReduceCall,
): void {
  for (const { slot, block } of plan.blocks) record.setInteger(slot, block.place);
  if (functor.spec.params) record.setParameters(functor.spec.params, params);
}

function cached<A extends object, B extends object, V>(
  cache: WeakMap<A, WeakMap<B, V>>,
  a: A,
  b: B,
  make: () => V,
): V {
  let inner = cache.get(a);
  if (!inner) {
    inner = new WeakMap();
    cache.set(a, inner);
  }
  let value = inner.get(b);
  if (value === undefined) {
    value = make();
    inner.set(b, value);
  }
  return value;
}
