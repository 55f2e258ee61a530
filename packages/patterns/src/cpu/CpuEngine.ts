import type { FieldBlock, SharedHeap } from '@corpuscle/core';
import { CorpuscleError } from '@corpuscle/core';
import type {
  BlockCall,
  CellCall,
  NeighbourCall,
  NeighbourUpdate,
  PairCall,
  PatternEngine,
  ReduceCall,
  Totals,
} from '../pattern/PatternEngine.js';
import type { PatternHandle } from '../pattern/PatternHandle.js';
import type { CpuServices } from './CpuServices.js';
import { ThreadPool } from './ThreadPool.js';

export type CpuEngineOptions = Omit<CpuServices, 'pool'> & { readonly threads: number };

/** The CPU backend: kernels compiled from functors, run by a pool of threads over the shared heap. */
export class CpuEngine implements PatternEngine, CpuServices {
  readonly name = 'cpu';
  readonly heap: SharedHeap;
  readonly precision: CpuServices['precision'];
  readonly lowering: CpuServices['lowering'];
  readonly deterministic: boolean;
  readonly pool: ThreadPool;

  constructor(options: CpuEngineOptions) {
    this.heap = options.heap;
    this.precision = options.precision;
    this.lowering = options.lowering;
    this.deterministic = options.deterministic;
    this.pool = new ThreadPool(options.heap.memory, options.threads);
  }

  blockParallelFor(call: BlockCall): PatternHandle<void> {
    throw new CorpuscleError('INTERNAL', call.functor.name);
  }
  computeCellParticles(call: CellCall): PatternHandle<void> {
    throw new CorpuscleError('INTERNAL', call.functor.name);
  }
  reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    throw new CorpuscleError('INTERNAL', call.functor.name);
  }
  computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    throw new CorpuscleError('INTERNAL', call.functor.name);
  }
  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    throw new CorpuscleError('INTERNAL', `${call.rcut}`);
  }

  async newestOnHost(blocks: readonly FieldBlock[]): Promise<void> {
    for (const block of blocks) block.synchronised();
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}
