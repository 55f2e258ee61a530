import type { FieldBlock, Grid } from '@corpuscle/core';
import type { Functor } from '@corpuscle/functor';
import type { ResultRecord } from '@corpuscle/functor/ir';
import type { CellCall, RecordCall } from '../../plan/calls.js';
import { ArgumentRecord } from '../ArgumentRecord.js';
import type { BackgroundJobs } from '../BackgroundJobs.js';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import { argumentNames, PARTIAL } from '../kernels/argumentNames.js';
import { bindFields, boundBlocks } from '../kernels/FieldBinding.js';
import { rowKernel } from '../kernels/rowKernel.js';

/** One call under way. */
interface RowRun {
  readonly kernel: Kernel;
  readonly record: ArgumentRecord;
  readonly list: number;
  readonly count: number;
  readonly touched: readonly FieldBlock[];
}

/**
 * Runs cell and reduce functors particle by particle: over a list of rows, in the order of the list, and reductions whose
 * results are records. Each PARTIAL particles have a record of their own, and the main thread joins them in order.
 */
export class RowPlans {
  readonly #services: CpuServices;
  readonly #jobs: BackgroundJobs;

  constructor(services: CpuServices, jobs: BackgroundJobs) {
    this.#services = services;
    this.#jobs = jobs;
  }

  /** Runs a cell functor over the rows of a list; a promise when it runs in the background. */
  runCell(call: CellCall): Promise<void> | null {
    const run = this.#prepare(call.functor, call, null);
    const { pool } = this.#services;
    if (!call.asynchronous) {
      try {
        pool.run(run.kernel, run.record.address, 0, run.count, this.#schedule(run.count));
      } finally {
        this.#release(run);
      }
      return null;
    }
    const { kernel, record, count } = run;
    const job = pool.start(kernel, record.address, 0, count, this.#schedule(count), call.lane);
    return this.#jobs.track(job, run.touched, () => this.#release(run));
  }

  /** Runs a reduction; what it has found, the initial record not yet joined. */
  runReduce(call: RecordCall): ResultRecord | Promise<ResultRecord> {
    const { reduction } = call;
    const { reals, ids } = reduction;
    const bytes = 8 * (reals + Math.ceil(ids / 2));
    const run = this.#prepare(reduction.functor, call, { reals, bytes });
    const { heap, pool } = this.#services;
    const records = Math.ceil(run.count / PARTIAL);
    // A kernel fills records two by two, and reads a second one even after the last.
    const address = heap.allocate(Math.max(8, 2 * Math.ceil(records / 2) * bytes));
    run.record.setInteger(argumentNames.partials, address);
    const start = reduction.identity();
    const recordAt = (k: number): ResultRecord => ({
      reals: heap.f64(address + k * bytes, reals),
      ids: heap.u32(address + k * bytes + 8 * reals, ids),
    });
    for (let k = 0; k < records; k++) {
      recordAt(k).reals.set(start.reals);
      recordAt(k).ids.set(start.ids);
    }
    const finish = (): ResultRecord => {
      const total = reduction.identity();
      for (let k = 0; k < records; k++) reduction.combine(total, recordAt(k));
      return total;
    };
    const release = () => {
      heap.free(address);
      this.#release(run);
    };
    const { kernel, record, count, touched } = run;
    if (!call.asynchronous) {
      try {
        pool.run(kernel, record.address, 0, count, this.#schedule(count));
        return finish();
      } finally {
        release();
      }
    }
    const job = pool.start(kernel, record.address, 0, count, this.#schedule(count), call.lane);
    let total = start;
    const collect = () => {
      try {
        total = finish();
      } finally {
        release();
      }
    };
    return this.#jobs.track(job, touched, collect).then(() => total);
  }

  #prepare(
    functor: Functor<'cell'> | Functor<'reduce'>,
    call: CellCall | RecordCall,
    records: { reals: number; bytes: number } | null,
  ): RowRun {
    const { heap, lowering, rows: waiting } = this.#services;
    const { grid, params, rows } = call;
    waiting.flush();
    const options = { listed: rows !== undefined, record: records };
    const kernel = rowKernel(functor, functor.ir!, grid, lowering, options);
    const record = new ArgumentRecord(heap, kernel.args);
    const touched = this.#bind(functor, grid, record);
    if (functor.spec.params) record.setParameters(functor.spec.params, params);
    const list = rows ? heap.allocate(Math.max(4, 4 * rows.length)) : 0;
    if (rows) {
      heap.u32(list, rows.length).set(rows);
      record.setInteger(argumentNames.list, list);
    }
    return { kernel, record, list, count: rows?.length ?? grid.count, touched };
  }

  #bind(functor: Functor, grid: Grid, record: ArgumentRecord): FieldBlock[] {
    return boundBlocks(bindFields(functor, grid)).map(({ block: name }) => {
      const block = grid.block(name);
      record.setInteger(argumentNames.block(name), block.address);
      return block;
    });
  }

  #release({ record, list }: RowRun): void {
    if (list) this.#services.heap.free(list);
    record.free();
  }

  /** Pairs of records, about eight chunks a thread. */
  #schedule(count: number): { kind: 'dynamic'; chunk: number } {
    const even = count / (8 * this.#services.pool.threads);
    const pair = 2 * PARTIAL;
    return { kind: 'dynamic', chunk: pair * Math.max(1, Math.ceil(even / pair)) };
  }
}
