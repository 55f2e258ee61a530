import { CorpuscleError } from '@corpuscle/core';
import type { Functor } from '../../functor/Functor.js';
import type { FunctorIR } from '../../functor/ir.js';
import type { BlockCall } from '../../pattern/PatternEngine.js';
import { ArgumentRecord } from '../ArgumentRecord.js';
import type { BackgroundJobs } from '../BackgroundJobs.js';
import type { CpuServices } from '../CpuServices.js';
import type { Kernel } from '../Kernel.js';
import { argumentNames } from '../kernels/argumentNames.js';
import { bindArrays } from '../kernels/BoundArray.js';
import { blockKernel } from '../kernels/blockKernel.js';
import type { Schedule } from '../ThreadPool.js';

/** What is needed to run one kernel, kept for synchronous calls. */
interface BlockRun {
  readonly record: ArgumentRecord;
  /** Address of the note on refused writes: [array number + 1, index]. */
  readonly refused: number;
}

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
   * @throws CorpuscleError INDEX_OUT_OF_RANGE when it wrote outside an array.
   */
  run(call: BlockCall, ir: FunctorIR): Promise<void> | null {
    const { functor, space, arrays, asynchronous } = call;
    const { heap, pool, lowering } = this.#services;
    const names = this.#arrayNames(functor);
    const kernel = blockKernel(functor, ir, bindArrays(names, arrays), lowering);
    const run = asynchronous ? this.#newRun(kernel) : this.#keptRun(kernel);
    this.#fill(run, names, call);
    const count = space[0] * space[1] * space[2];
    if (!asynchronous) {
      pool.run(kernel, run.record.address, 0, count, this.#schedule(count));
      this.#checkRefused(run, names, call);
      return null;
    }
    const job = pool.start(kernel, run.record.address, 0, count, this.#schedule(count));
    const blocks = names.map((name) => arrays[name]!.block);
    let refusal: unknown = null;
    const release = () => {
      try {
        this.#checkRefused(run, names, call);
      } catch (error) {
        refusal = error;
      }
      heap.free(run.refused);
      run.record.free();
    };
    return this.#jobs.track(job, blocks, release).then(() => {
      if (refusal !== null) throw refusal;
    });
  }

  #fill(
    { record, refused }: BlockRun,
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
    const name = names[number - 1]!;
    throw new CorpuscleError(
      'INDEX_OUT_OF_RANGE',
      `functor '${functor.name}' wrote ${name}[${note[1]}], but the array has ${arrays[name]!.length} elements: the write was refused; check the index`,
      { location: functor.source },
    );
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

  #keptRun(kernel: Kernel): BlockRun {
    let run = this.#runs.get(kernel);
    if (!run) {
      run = this.#newRun(kernel);
      this.#runs.set(kernel, run);
    }
    return run;
  }

  #newRun(kernel: Kernel): BlockRun {
    const { heap } = this.#services;
    return { record: new ArgumentRecord(heap, kernel.args), refused: heap.allocate(8) };
  }

  /** About sixteen chunks a thread: the work of an index is unknown. */
  #schedule(count: number): Schedule {
    const chunk = Math.min(
      1024,
      Math.max(1, Math.floor(count / (16 * this.#services.pool.threads))),
    );
    return { kind: 'dynamic', chunk };
  }
}
