import type { FunctorIR } from '@corpuscle/patterns';
import type { GPU } from 'gpu.js';
import { compileKernel, type GatherKernel } from './compileKernel.js';
import { planKernels } from './planKernels.js';
import { type KernelPlan, pairSource, particleSource } from './print/kernelSource.js';

export interface CompiledPlan {
  readonly plan: KernelPlan;
  readonly kernel: GatherKernel;
}

/** Compiles each functor once for each set of outputs. */
export class KernelStore {
  readonly #gpu: GPU;
  readonly #compile: typeof compileKernel;
  readonly #known = new WeakMap<FunctorIR, Map<string, CompiledPlan[]>>();

  /** @param compile another way to make kernels, for tests. */
  constructor(gpu: GPU, compile = compileKernel) {
    this.#gpu = gpu;
    this.#compile = compile;
  }

  /** @param start neutral elements of a reduction. */
  get(
    ir: FunctorIR,
    outputs: readonly string[],
    start?: Readonly<Record<string, number>>,
  ): readonly CompiledPlan[] {
    let variants = this.#known.get(ir);
    if (!variants) {
      variants = new Map();
      this.#known.set(ir, variants);
    }
    const key = outputs.join();
    let plans = variants.get(key);
    if (!plans) {
      const source = ir.kind === 'pair' ? pairSource : particleSource;
      plans = planKernels(ir, outputs, start).map((plan) => ({
        plan,
        kernel: this.#compile(this.#gpu, source(plan)),
      }));
      variants.set(key, plans);
    }
    return plans;
  }
}
