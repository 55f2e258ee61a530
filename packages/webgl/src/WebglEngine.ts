import { CorpuscleError } from '@corpuscle/core';
import {
  type BlockCall,
  CallByCallEngine,
  type CellCall,
  type CpuEngine,
  completed,
  type FunctorFacts,
  type FunctorIR,
  type NeighbourCall,
  type NeighbourUpdate,
  type PairCall,
  type PatternHandle,
  type ReduceCall,
  type Totals,
  type WebglBackend,
} from '@corpuscle/patterns';
import { computeCells } from './computeCells.js';
import { computePairs } from './computePairs.js';
import type { OpenedGpuJs } from './gpujs.js';
import { KernelStore } from './KernelStore.js';
import { reduceCells } from './reduceCells.js';
import { refusal } from './refusal.js';

/**
 * The patterns on WebGL 2 through gpu.js: cell and reduce functors, and pair functors in their bufferless form over full
 * lists, in single precision. State stays on the host in f64, as do lists, which the CPU engine builds; each call uploads
 * what it reads. What WebGL cannot take runs on the CPU, and `explain` says why.
 */
export class WebglEngine extends CallByCallEngine implements WebglBackend {
  readonly name = 'webgl';
  readonly precisions = ['f32'] as const;
  readonly description: string;
  readonly #opened: OpenedGpuJs;
  readonly #kernels: KernelStore;
  #cpu: CpuEngine | null = null;

  constructor(opened: OpenedGpuJs, kernels = new KernelStore(opened.gpu)) {
    super();
    this.#opened = opened;
    this.#kernels = kernels;
    const software = opened.mode === 'webasm' || opened.mode === 'cpu';
    this.description = `gpu.js in mode ${opened.mode}${software ? ' (in software)' : ''}`;
  }

  connect(cpu: CpuEngine): void {
    this.#cpu = cpu;
  }

  refuses({ name, ir, kind, asked }: FunctorFacts & { readonly asked: string }): string | null {
    if (!ir) return 'the functor is plain JavaScript (gpu: false), which only the CPU runs';
    if (kind === 'pair' && asked === 'buffered')
      return `WebGL has the bufferless form only, and functor '${name}' is asked for buffered`;
    return refusal(ir);
  }

  blockParallelFor({ functor }: BlockCall): never {
    throw new CorpuscleError('INTERNAL', `functor '${functor.name}' was sent to WebGL`);
  }

  computeCellParticles(call: CellCall): PatternHandle<void> {
    computeCells(this.#kernels, call, compiled(call));
    return completed();
  }

  reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    return completed(reduceCells(this.#kernels, call, compiled(call)));
  }

  reduceRecords({ functor }: { readonly functor: { readonly name: string } }): never {
    throw new CorpuscleError('INTERNAL', `functor '${functor.name}' was sent to WebGL`);
  }

  computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    return completed(computePairs(this.#kernels, this.#host, call, compiled(call)));
  }

  /** Lists are built on the host, where positions are. */
  updateNeighbours(call: NeighbourCall): PatternHandle<NeighbourUpdate> {
    return this.#host.updateNeighbours(call);
  }

  /** The host is where results go: there is nothing to fetch. */
  async newestOnHost(): Promise<void> {
    this.#host.finish();
  }

  async close(): Promise<void> {
    await this.#opened.gpu.destroy();
  }

  get #host(): CpuEngine {
    if (!this.#cpu) throw new CorpuscleError('INTERNAL', 'the WebGL engine has no context');
    return this.#cpu;
  }
}

function compiled({ functor }: { readonly functor: { name: string; ir: FunctorIR | null } }) {
  if (functor.ir) return functor.ir;
  throw new CorpuscleError('INTERNAL', `functor '${functor.name}' was sent to WebGL uncompiled`);
}
