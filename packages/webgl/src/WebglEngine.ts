import { CorpuscleError } from '@corpuscle/core';
import {
  CallByCallEngine,
  type CellCall,
  completed,
  type DispatchOptions,
  type FunctorFacts,
  type FunctorIR,
  type HostServices,
  type PairCall,
  type PatternHandle,
  type ReduceCall,
  type Totals,
} from '@corpuscle/patterns';
import { computeCells } from './computeCells.js';
import { computePairs } from './computePairs.js';
import type { OpenedGpuJs } from './gpujs.js';
import { KernelStore } from './KernelStore.js';
import { reduceCells } from './reduceCells.js';
import { refusal } from './refusal.js';

/**
 * The patterns on WebGL 2 through gpu.js: cell and reduce functors, and pair functors in their bufferless form over full
 * lists, in single precision. State stays on the host in f64, as do lists, which the context keeps; each call uploads what
 * it reads. What WebGL cannot take runs on the CPU, and `explain` says why.
 */
export class WebglEngine extends CallByCallEngine {
  readonly name = 'webgl';
  readonly precisions = ['f32'] as const;
  readonly precisionReason = 'WebGL computes in f32';
  readonly description: string;
  readonly #opened: OpenedGpuJs;
  readonly #host: HostServices;
  readonly #kernels: KernelStore;

  constructor(opened: OpenedGpuJs, host: HostServices, kernels = new KernelStore(opened.gpu)) {
    super();
    this.#opened = opened;
    this.#host = host;
    this.#kernels = kernels;
    const software = opened.mode === 'webasm' || opened.mode === 'cpu';
    this.description = `gpu.js in mode ${opened.mode}${software ? ' (in software)' : ''}`;
  }

  refuses(functor: FunctorFacts, options: DispatchOptions): string | null {
    return refusal(functor, options);
  }

  override computeCellParticles(call: CellCall): PatternHandle<void> {
    computeCells(this.#kernels, call, compiled(call));
    return completed();
  }

  override reduceCellParticles(call: ReduceCall): PatternHandle<Totals> {
    return completed(reduceCells(this.#kernels, call, compiled(call)));
  }

  override computeCellParticlePairs(call: PairCall): PatternHandle<Totals> {
    return completed(computePairs(this.#kernels, this.#host, call, compiled(call)));
  }

  override async close(): Promise<void> {
    await this.#opened.gpu.destroy();
  }
}

function compiled({ functor }: { readonly functor: { name: string; ir: FunctorIR | null } }) {
  if (functor.ir) return functor.ir;
  throw new CorpuscleError('INTERNAL', `functor '${functor.name}' was sent to WebGL uncompiled`);
}
