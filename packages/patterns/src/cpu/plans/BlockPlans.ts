import type { Functor } from '@corpuscle/functor';
import { type ResultRecord, reductionOf } from '@corpuscle/functor/ir';
import type { BlockCall } from '../../plan/calls.js';
import { writeRefused } from '../../plan/refusals.js';
import { ArgumentRecord } from '../ArgumentRecord.js';
import type { BackgroundJobs } from '../BackgroundJobs.js';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import { argumentNames } from '../kernels/argumentNames.js';
import { type BlockLayout, blockLayout } from '../kernels/BlockLayout.js';
import { bindArrays } from '../kernels/BoundArray.js';
import { blockKernel } from '../kernels/blockKernel.js';
import { blockSchedule } from './blockSchedule.js';

/** What is needed to run one kernel, kept for synchronous calls. */
interface BlockRun {
  readonly record: ArgumentRecord;
  /** Address of the note on refused writes: [array number + 1, index]. */
  readonly refused: number;
  /** Memory that blocks share, one part for each thread. */
  readonly scratch: number;
}

/** Records of results at most; more indices than that share them. */
const MOST_RECORDS = 65536;

const noResults: ResultRecord = { reals: new Float64Array(0), ids: new Uint32Array(0) };

/** Runs block functors. */
export class BlockPlans {
  readonly #services: CpuServices;
  readonly #jobs: BackgroundJobs;
  readonly #runs = new WeakMap<Kernel, BlockRun>();
  readonly #names = new WeakMap<Functor, readonly string[]>();

  constructor(services: CpuServices, jobs: BackgroundJobs) {
    this.#services = services;
    this.#jobs = jobs;
  }

  /**
   * Runs a block functor; a promise when it runs in the background.
   * @returns its results as a record, empty where the functor has none.
   * @throws CorpuscleError INDEX_OUT_OF_RANGE when it wrote outside an array.
   */
  run(call: BlockCall): ResultRecord | Promise<ResultRecord> {
    const { functor, space, arrays, asynchronous } = call;
    const { heap, pool, lowering } = this.#services;
    const names = this.#arrayNames(functor);
    const reduction = reductionOf(functor);
    const layout = blockLayout(functor, reduction.reals);
    const { ir } = reduction.functor;
    const kernel = blockKernel(functor, ir!, bindArrays(names, arrays), lowering, layout);
    const run = asynchronous ? this.#newRun(kernel, layout) : this.#keptRun(kernel, layout);
    this.#fill(run, names, call);
    const count = space[0] * space[1] * space[2];
    if (!asynchronous && reduction.reals === 0) {
      run.record.setInteger(argumentNames.partials, 0);
      run.record.setInteger(argumentNames.perRecord, 1);
      pool.run(kernel, run.record.address, 0, count, blockSchedule(call, count, 1, pool.threads));
      this.#checkRefused(run, names, call);
      return noResults;
    }
    const perRecord = Math.max(1, Math.ceil(count / MOST_RECORDS));
    const records = reduction.reals > 0 ? Math.ceil(count / perRecord) : 0;
    const partials = records > 0 ? heap.allocate(records * layout.recordBytes) : 0;
    const recordAt = (k: number): ResultRecord => ({
      reals: heap.f64(partials + k * layout.recordBytes, reduction.reals),
      ids: new Uint32Array(0),
    });
    const start = reduction.identity();
    for (let k = 0; k < records; k++) recordAt(k).reals.set(start.reals);
    run.record.setInteger(argumentNames.partials, partials);
    run.record.setInteger(argumentNames.perRecord, perRecord);
    const finish = (): ResultRecord => {
      const total = reduction.identity();
      for (let k = 0; k < records; k++) reduction.combine(total, recordAt(k));
      return total;
    };
    const schedule = blockSchedule(call, count, perRecord, pool.threads);
    if (!asynchronous) {
      try {
        pool.run(kernel, run.record.address, 0, count, schedule);
        this.#checkRefused(run, names, call);
        return finish();
      } finally {
        if (partials) heap.free(partials);
      }
    }
    const job = pool.start(kernel, run.record.address, 0, count, schedule, call.lane);
    const blocks = names.map((name) => arrays[name]!.block);
    let total = start;
    let refusal: unknown = null;
    const release = () => {
      try {
        this.#checkRefused(run, names, call);
        total = finish();
      } catch (error) {
        refusal = error;
      }
      for (const address of [run.refused, run.scratch, partials]) if (address) heap.free(address);
      run.record.free();
    };
    return this.#jobs.track(job, blocks, release).then(() => {
      if (refusal !== null) throw refusal;
      return total;
    });
  }

  #fill(
    { record, refused, scratch }: BlockRun,
    names: readonly string[],
    { functor, space, arrays, params }: BlockCall,
  ): void {
    for (const name of names) {
      const { block, length } = arrays[name]!;
      record.setInteger(argumentNames.arrayAddress(name), block.address);
      record.setInteger(argumentNames.arrayLast(name), Math.max(0, length - 1)); // an empty array has padding to read
      record.setInteger(argumentNames.arrayLength(name), length);
    }
    record.setInteger(argumentNames.refused, refused);
    record.setInteger(argumentNames.scratch, scratch);
    record.setInteger(argumentNames.nx, space[0]);
    record.setInteger(argumentNames.ny, space[1]);
    if (functor.spec.params) record.setParameters(functor.spec.params, params);
  }

  #checkRefused(
    { refused }: BlockRun,
    names: readonly string[],
    { functor, arrays }: BlockCall,
  ): void {
    const note = this.#services.heap.i32(refused, 2);
    const number = note[0]!;
    if (number === 0) return;
    note[0] = 0;
    const { shared } = blockLayout(functor, reductionOf(functor).reals);
    const name = names[number - 1];
    const place = name === undefined ? shared[number - 1 - names.length]! : null;
    const what = place ? `b.${place.name}` : name;
    const length = place ? place.length : arrays[name!]!.length;
    throw writeRefused(functor, `${what}[${note[1]}]`, length);
  }

  #arrayNames(functor: Functor<'block'>): readonly string[] {
    let names = this.#names.get(functor);
    if (!names) {
      const { spec } = functor;
      names = spec.kind === 'block' ? Object.keys({ ...spec.arrays, ...spec.read }) : [];
      this.#names.set(functor, names);
    }
    return names;
  }

  #keptRun(kernel: Kernel, layout: BlockLayout): BlockRun {
    let run = this.#runs.get(kernel);
    if (!run) {
      run = this.#newRun(kernel, layout);
      this.#runs.set(kernel, run);
    }
    return run;
  }

  #newRun(kernel: Kernel, { sharedBytes }: BlockLayout): BlockRun {
    const { heap, pool } = this.#services;
    const scratch = sharedBytes > 0 ? heap.allocate(sharedBytes * pool.threads) : 0;
    return { record: new ArgumentRecord(heap, kernel.args), refused: heap.allocate(8), scratch };
  }
}
